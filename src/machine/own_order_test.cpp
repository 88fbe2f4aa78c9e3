#include "machine/own_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::machine {
namespace {

using Code = std::vector<std::uint8_t>;

TEST(OwnOrder, LockPrefixAndExchangeWithMemoryAreAtomic) {
  EXPECT_TRUE(
      has_atomic_instruction(Code{0x90, 0xf0, 0x0f, 0xb1, 0x17}));  // lock cmpxchg [rdi], edx
  EXPECT_TRUE(
      has_atomic_instruction(Code{0x90, 0xf0, 0x83, 0x07, 0x01}));    // lock add dword [rdi], 1
  EXPECT_TRUE(has_atomic_instruction(Code{0x55, 0x87, 0x07, 0xc3}));  // xchg [rdi], eax
}

TEST(OwnOrder, OtherCodeIsNot) {
  EXPECT_FALSE(has_atomic_instruction(Code{}));
  EXPECT_FALSE(has_atomic_instruction(Code{0x0f, 0xb1, 0x17}));        // cmpxchg without lock
  EXPECT_FALSE(has_atomic_instruction(Code{0x66, 0x90, 0x87, 0xd8}));  // nop; xchg ebx, eax
  EXPECT_FALSE(
      has_atomic_instruction(Code{0xb8, 0xf0, 0x0f, 0xb1, 0x17, 0xc3}));  // part of a constant
}

}  // namespace
}  // namespace heddle::machine

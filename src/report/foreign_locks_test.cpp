// Machine code that makes a lock of its own.
#include "report/foreign_locks.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::string_view_literals;

constexpr auto kByFunction = "\x90\xbf\xca\0\0\0\xe8\1\2\3\4"sv;        // mov edi, 202; call syscall
constexpr auto kByItself = "\x90\xb8\xca\0\0\0\x31\xd2\x0f\x05\xc3"sv;  // mov eax, 202; xor edx, edx; syscall
constexpr auto kNumber = "\xb8\xca\0\0\0\xc3"sv;                        // mov eax, 202; ret

TEST(ForeignLocks, FutexIsKnownByItsNumber) {
  EXPECT_TRUE(calls_futex(kByFunction, true));
  EXPECT_TRUE(calls_futex(kByItself, false));
}

TEST(ForeignLocks, ANumberAloneIsNoCall) {
  EXPECT_FALSE(calls_futex(kByFunction, false));
  EXPECT_FALSE(calls_futex(kNumber, true));
  EXPECT_FALSE(calls_futex("", true));
}

}  // namespace
}  // namespace heddle

// Which sets of pairs rely on memory orders.
#include "model/order_pairs.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

AtomicAccess at(std::uint64_t location, std::uint32_t size = 4, std::uint64_t pc = 1) {
  AtomicAccess a;
  a.pc = pc;
  a.location = location;
  a.size = size;
  return a;
}

OrderPair pair(PairKind kind, std::uint64_t location) { return {at(location), at(location, 4, 2), kind, {}}; }

constexpr PairKind S = PairKind::SeqCst, M = PairKind::Modifies, B = PairKind::Other;

TEST(OrderPairs, OneKindAlone) {
  EXPECT_FALSE(relies_on_orders(std::vector<OrderPair>{}));
  EXPECT_FALSE(relies_on_orders(std::vector{pair(S, 1), pair(S, 2), pair(S, 3)}));
  EXPECT_FALSE(relies_on_orders(std::vector{pair(M, 1), pair(M, 2)}));
  EXPECT_TRUE(relies_on_orders(std::vector{pair(B, 1), pair(B, 2)}));
}

TEST(OrderPairs, KindsTogether) {
  EXPECT_TRUE(relies_on_orders(std::vector{pair(S, 1), pair(M, 2)}));
  EXPECT_TRUE(relies_on_orders(std::vector{pair(B, 1), pair(S, 2)}));
  EXPECT_TRUE(relies_on_orders(std::vector{pair(M, 1), pair(B, 2)}));
}

TEST(OrderPairs, OneLocationIsCoherent) {
  EXPECT_FALSE(relies_on_orders(std::vector{pair(B, 1)}));
  EXPECT_FALSE(relies_on_orders(std::vector{pair(B, 1), pair(S, 1), pair(M, 1)}));
}

TEST(OrderPairs, TwoSizesAreTwoLocations) {
  OrderPair mixed = pair(B, 1);
  mixed.second.size = 8;
  EXPECT_TRUE(relies_on_orders(std::vector{mixed}));
}

TEST(OrderPairs, ThePairToShowIsOneThatMatters) {
  std::vector<OrderPair> pairs{pair(S, 1), pair(M, 2), pair(B, 3)};
  sort_by_weight(pairs);
  EXPECT_EQ(pairs[0].kind, B);
  EXPECT_EQ(pairs[1].kind, M);
}

TEST(OrderPairs, APairTheOtherWayRoundIsTheSame) {
  std::vector<OrderPair> all{pair(B, 1)};
  OrderPair turned = all.front();
  std::swap(turned.first, turned.second);
  add_pairs(all, std::vector{turned, pair(B, 2)});
  EXPECT_EQ(all.size(), 2u);
}

}  // namespace
}  // namespace heddle

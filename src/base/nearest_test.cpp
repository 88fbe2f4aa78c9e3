#include "base/nearest.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Nearest, DistanceCountsEdits) {
  EXPECT_EQ(edit_distance("dpor", "dpor"), 0);
  EXPECT_EQ(edit_distance("dpor", "dopr"), 1);  // swap
  EXPECT_EQ(edit_distance("dfs", "dffs"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(Nearest, PicksTheClosest) {
  EXPECT_EQ(nearest("radnom", {"dfs", "random", "dpor"}), "random");
  EXPECT_EQ(nearest("dsf", {"random", "dfs"}), "dfs");
}

TEST(Nearest, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest("banana", {"dfs", "dpor"}), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

}  // namespace
}  // namespace heddle

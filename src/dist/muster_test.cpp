#include "dist/muster.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// An argument and a library may have the same name.
Muster here() { return {"here", {"./prog"}, {{"heddle", "gnu:1"}, {"./prog", "xxh64:2"}, {"input", "xxh64:3"}, {"input", "gnu:4"}, {"libc", "gnu:5"}}, {}}; }

std::string refusal(const Muster& there) {
  const auto error = refuse(here(), 2, there);
  return error ? error->what : "";
}

TEST(Muster, TheSameFilesAreWelcome) { EXPECT_EQ(refusal(here()), ""); }

TEST(Muster, LibrariesMayBeLoadedInAnotherOrder) {
  Muster there = here();
  std::swap(there.ingredients[3], there.ingredients[4]);
  EXPECT_EQ(refusal(there), "");
}

TEST(Muster, WhatDiffersIsNamed) {
  for (std::size_t i = 0; i < here().ingredients.size(); ++i) {
    Muster there = here();
    there.ingredients[i].hash = "xxh64:other";
    EXPECT_EQ(refusal(there), "rank 2 (on here) has another " + there.ingredients[i].name + " than rank 0");
  }
}

TEST(Muster, WhatIsMissingIsNamed) {
  Muster there = here();
  there.ingredients[2].hash = "no file";
  there.ingredients.erase(there.ingredients.begin() + 3);
  EXPECT_EQ(refusal(there), "rank 2 (on here) does not have input, which rank 0 has");
  there = here();
  there.ingredients.pop_back();
  EXPECT_EQ(refusal(there), "rank 2 (on here) does not have libc, which rank 0 has");
}

TEST(Muster, AnotherCommandLineIsRefusedFirst) {
  Muster there = here();
  there.words = {"./other"};
  there.ingredients.clear();
  EXPECT_EQ(refusal(there), "rank 2 (on here) was started with another command line than rank 0");
}

}  // namespace
}  // namespace heddle

#include "explore/reduction/sampling.h"

#include <set>

#include <gtest/gtest.h>

#include "target/scripted/scripted_program.h"

namespace heddle {
namespace {

scripted::Script three_writers() {
  scripted::Script s;
  s.variables = {0};
  for (int t = 1; t <= 3; ++t) s.thread().store(0, t).store(0, 10 * t);
  return s;
}

template <class Sampling>
std::vector<std::string> orders(std::uint64_t seed, int runs) {
  scripted::ScriptedProgram program(three_writers());
  Sampling sampling(seed);
  std::vector<std::string> seen;
  for (int i = 0; i < runs; ++i) {
    const Request request = *sampling.next();
    const Trace trace = program.run(request).value();
    std::string order;
    for (const Event& e : trace.events) order += static_cast<char>('0' + e.thread);
    seen.push_back(order);
    sampling.learn(request, trace);
  }
  return seen;
}

template <class Sampling>
void expect_variety() {
  const auto seen = orders<Sampling>(7, 2000);
  EXPECT_EQ(seen, orders<Sampling>(7, 2000)) << "a search is a function of its seed";
  EXPECT_NE(seen, orders<Sampling>(8, 2000));
  EXPECT_GE(std::set<std::string>(seen.begin(), seen.end()).size(), 30u);  // of 90
}

TEST(Sampling, PctReachesManyOrdersReproducibly) { expect_variety<PctSampling>(); }
TEST(Sampling, PosReachesManyOrdersReproducibly) { expect_variety<PosSampling>(); }

TEST(Sampling, NeverVerifies) {
  EXPECT_FALSE(PctSampling(1).exhaustive());
  EXPECT_FALSE(PosSampling(1).exhaustive());
}

}  // namespace
}  // namespace heddle

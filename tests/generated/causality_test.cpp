// Causality against happens-before the slow way, on random runs of generated programs; and what locksets (004 sec. 3.3.3) would add.
#include "model/causality.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "explore/reduction/reference/naive_order.h"
#include "generator.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

template <class F>
void on_random_runs(F check) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    scripted::ScriptedProgram program(generate(seed));
    Request request;
    request.policy = wire::Policy::Random;
    for (request.seed = 1; request.seed <= 5; ++request.seed) {
      const Trace trace = program.run(request).value();
      Causality causality;
      causality.analyse(trace);
      check(trace, causality, seed);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Causality, IsTheOrderThatEveryPairGives) {
  on_random_runs([](const Trace& trace, const Causality& causality, std::uint64_t seed) {
    const auto order = reference::naive_order(trace);
    for (std::size_t j = 0; j < order.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        EXPECT_EQ(causality.before(i, j), order[i][j]) << "seed " << seed << ", events " << i << " and " << j;
  });
}

// Mutexes held by the thread of each event while it happens, and by those of pending operations at the end.
std::vector<std::set<Address>> locksets(const Trace& trace) {
  std::map<std::uint8_t, std::set<Address>> held;
  std::vector<std::set<Address>> sets;
  for (const Event& e : trace.events) {
    sets.push_back(held[e.thread]);
    if (takes_mutex(e)) held[e.thread].insert(e.op == Op::CondResume ? e.argument : e.object);
    if (e.op == Op::MutexUnlock) held[e.thread].erase(e.object);
    if (e.op == Op::CondWait) held[e.thread].erase(e.argument);
  }
  for (const Pending& p : trace.pending) sets.push_back(held[p.thread]);
  return sets;
}

// Two operations under a common lock are never co-enabled. The lock orders them here, so that they are never a race either and
// locksets have nothing left to sharpen. (The end of a run races with everything, locked or not.)
TEST(Causality, OperationsUnderACommonLockAreNoRace) {
  on_random_runs([](const Trace& trace, const Causality& causality, std::uint64_t seed) {
    const auto held = locksets(trace);
    for (const Race& race : causality.races()) {
      const bool cut_off = race.second >= trace.events.size() && ends_by_last_event(trace);
      if (cut_off || race.fatal || race.alternative) continue;
      for (Address lock : held[race.first]) EXPECT_FALSE(held[race.second].contains(lock)) << "seed " << seed;
    }
  });
}

}  // namespace
}  // namespace heddle::generated

// What --without=safe leaves out. That nothing is missed without safe sets is shown in tests/generated.
#include <gtest/gtest.h>

#include "explore/reduction/registry.h"
#include "target/scripted/scripted_program.h"

namespace heddle {
namespace {

std::uint64_t runs_of(const char* algorithm, bool safe_sets, const scripted::Script& script) {
  Config config;
  config.algorithm = algorithm;
  config.safe_sets = safe_sets;
  const auto reduction = find_algorithm(algorithm)->make(config);
  scripted::ScriptedProgram program(script);
  std::uint64_t runs = 0;
  for (; std::optional<Request> request = reduction->next(); ++runs) reduction->learn(*request, program.run(*request).value());
  return runs;
}

// What threads 1 and 2 write is their own until thread 0 has joined them, and noticed by nobody. Without safe sets, thread 1's store conflicts with thread 0's
// load, for which thread 2 has to be joined first. Seen to fail when the switch was not looked at.
TEST(SafeSets, CanBeLeftOut) {
  scripted::Script s;
  s.variables = {0, 0, 0};  // 0 and 2: neighbours are protected together
  s.thread().create(1).create(2).join(2).join(1).load(0, 0).load(2, 1);
  s.thread().store(0, 1);
  s.thread().store(2, 1);
  for (const char* algorithm : {"dl-spor", "de-spor"}) {
    EXPECT_EQ(runs_of(algorithm, true, s), 1u) << algorithm;
    EXPECT_EQ(runs_of(algorithm, false, s), 2u) << algorithm;
  }
}

// The runs go on with thread 1, whose lock nobody else takes, while thread 2 is about to make a step that nobody notices: one of them is enough, whichever it
// was. Seen to fail when the safe set was taken as well.
TEST(SafeSets, AreNotTakenOnTopOfASourceSet) {
  scripted::Script s;
  s.variables = {0};
  s.mutexes = 1;
  s.thread().create(1).create(2).join(1).join(2);
  s.thread().lock(0).unlock(0);
  s.thread().store(0, 1);
  for (const char* algorithm : {"dl-spor", "de-spor"}) EXPECT_EQ(runs_of(algorithm, true, s), 1u) << algorithm;
}

}  // namespace
}  // namespace heddle

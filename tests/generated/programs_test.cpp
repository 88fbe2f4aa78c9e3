// The C programs of tests/programs and their scripted twins have the same number of traces: the one that stands in the program's comment, which
// tests/run.py holds the real tool to, with gcc and with clang.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "classics.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/source.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

std::uint64_t stated_count(const std::string& program) {
  std::ifstream file(std::filesystem::path(HEDDLE_PROGRAMS) / program);
  EXPECT_TRUE(file.good()) << program;
  const std::string stated = "// EXECUTIONS: optimal=";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(stated)) return std::stoull(line.substr(stated.size()));
  ADD_FAILURE() << program << " states no count";
  return 0;
}

struct Twin {
  const char* program;
  scripted::Script script;
};

TEST(Programs, HaveAsManyTracesAsTheirScripts) {
  const std::vector<Twin> twins = {
      {"mutex_n_ok.c", lockers(4)},
      {"readers_ok.c", readers(5)},
      {"three_traces_ok.c", two_writers()},
      {"store_buffering_ok.c", store_buffering()},
      {"counter_2x2_atomic_ok.c", counter_2x2()},
      {"indexer_11_ok.c", indexer(11)},
      {"indexer_12_ok.c", indexer(12)},
      {"indexer_13_ok.c", indexer(13)},
      {"fsbench_13_ok.c", file_system(13)},
      {"fsbench_16_ok.c", file_system(16)},
      {"lastzero_ok.c", last_zero(5)},
      {"example1_10_ok.c", example1(10)},
      {"philosophers_2_ordered_ok.c", philosophers(2)},
      {"philosophers_3_ordered_ok.c", philosophers(3)},
      {"philosophers_4_ordered_ok.c", philosophers(4)},
      {"philosophers_5_ordered_ok.c", philosophers(5)},
      {"bounded_buffer_2_2_ok.c", bounded_buffer(2, 2, 2, 1)},
      {"bounded_buffer_2_2_one_slot_ok.c", bounded_buffer(1, 2, 2, 1)},
      {"flag_spin_ok.c", flag_spin()},
      {"ticket_lock_ok.c", ticket_lock(3)},
  };
  for (const Twin& twin : twins) {
    scripted::ScriptedProgram program(twin.script);
    Optimal optimal;
    const auto seen = reference::search(program, optimal, 10'000);
    ASSERT_TRUE(seen) << twin.program;
    EXPECT_EQ(seen->executions, stated_count(twin.program)) << twin.program;
    EXPECT_EQ(seen->blocked, 0u) << twin.program;
  }
}

}  // namespace
}  // namespace heddle::generated

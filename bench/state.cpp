// What it costs to capture states: the same runs with and without, in turns within one run of this program, median over the rounds.
//
//   state [--rounds N] [--seconds S]
//
// Two ways of running. "search" does what a search does: one run at a time, a prefix is replayed, what follows is new; the time is that of a new
// transition, states are captured in the new part only. "bare" hands over whole runs far ahead and captures all of their states: nothing but
// the target's own work is left, and the ratio is the least favourable that there is.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "target/process_program.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Subject {
  std::string name, source, options;
  bool all_visible = false;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void figure(const std::string& name, double value, const char* unit) {
  fmt::print("figure {} {:.6g} {}\n", name, value, unit);
  std::fflush(stdout);
}

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "state: {}\n", why);
  std::exit(1);
}

Trace take(Result<Trace> trace) {
  if (!trace) give_up(trace.error().what);
  return std::move(trace).value();
}

// Processor time of the target: wall-clock time says more about a shared machine than about us.
double target_seconds(const ProcessProgram& program) {
  clockid_t clock;
  timespec now{};
  if (clock_getcpuclockid(program.target_pid(), &clock) != 0 || clock_gettime(clock, &now) != 0) give_up("the target's processor time is not to be had");
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
double own_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Bench {
 public:
  Bench(const Subject& subject, const fs::path& folder, double seconds) : subject_(subject), seconds_(seconds) {
    const std::string program = (folder / subject.name).string();
    const std::string command = fmt::format("{} -O1 -g -I{} {} {}/{} -o {} -pthread", HEDDLE_CC_DRIVER, PROGRAM_SOURCES, subject.options,
                                            BENCH_SOURCES, subject.source, program);
    if (std::system(command.c_str()) != 0) give_up("cannot compile " + subject.source);
    stateless_ = start(program, wire::StateMode::None);
    stateful_ = start(program, wire::StateMode::Exact);
  }

  void measure(int rounds) {
    std::vector<double> search, bare, without, with;
    for (int i = 0; i < rounds; ++i) {
      search.push_back(search_time(*stateful_, Capture::States) / search_time(*stateless_, Capture::None));
      without.push_back(bare_time(*stateless_, Capture::None));
      with.push_back(bare_time(*stateful_, Capture::States));
      bare.push_back(with.back() / without.back());
    }
    figure("state_capture_" + subject_.name + "_over_stateless_search", median(search), "x");
    figure("state_capture_" + subject_.name + "_bare_transition", median(without) * 1e9, "ns");
    figure("state_capture_" + subject_.name + "_captured_transition", median(with) * 1e9, "ns");
    figure("state_capture_" + subject_.name + "_over_bare_transition", median(bare), "x");
  }

 private:
  std::unique_ptr<ProcessProgram> start(const std::string& path, wire::StateMode mode) const {
    ProcessOptions options;
    options.path = path;
    options.input_file = "/dev/null";
    options.wire.state = mode;
    options.wire.unbuffered = mode != wire::StateMode::None;
    if (subject_.all_visible) options.wire.visibility = wire::Visibility::All;
    Result<std::unique_ptr<ProcessProgram>> program = ProcessProgram::start(options);
    if (!program) give_up(program.error().what);
    return std::move(program).value();
  }

  // Seconds of a new transition: each run follows the one before for a while, as a search does that goes back to its last branch.
  double search_time(ProcessProgram& program, Capture capture) const {
    double spent = 0, since = own_seconds() + target_seconds(program);
    std::uint64_t transitions = 0, seed = 1;
    std::vector<Choice> last;
    do {
      Request request;
      request.policy = wire::Policy::Random;
      request.seed = seed++;
      request.prefix.assign(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(last.size() * (seed % 8) / 8));
      request.capture = capture;
      request.capture_from = static_cast<std::uint32_t>(request.prefix.size());
      const Trace trace = take(program.run(request));
      transitions += trace.events.size() - request.prefix.size();
      last = choices_of(trace);
      if (seed % 64 == 0) spent = own_seconds() + target_seconds(program) - since;
    } while (spent < seconds_);
    return spent / static_cast<double>(transitions);
  }

  // Seconds of the target's for a transition.
  double bare_time(ProcessProgram& program, Capture capture) const {
    double spent = 0;
    const double since = target_seconds(program);
    std::uint64_t transitions = 0, seed = 1;
    do {
      while (program.in_flight() < 64) {
        Request request;
        request.policy = wire::Policy::Random;
        request.seed = seed++;
        request.capture = capture;
        if (!program.submit(request)) give_up("cannot submit");
      }
      transitions += take(program.collect()).events.size();
      if (seed % 64 == 0) spent = target_seconds(program) - since;
    } while (spent < seconds_);
    while (program.in_flight() > 0) take(program.collect());
    return spent / static_cast<double>(transitions);
  }

  const Subject& subject_;
  const double seconds_;
  std::unique_ptr<ProcessProgram> stateless_, stateful_;
};

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using namespace heddle;
  int rounds = 5;
  double seconds = 0.3;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--seconds") == 0) seconds = std::atof(argv[i + 1]);
  }
  const std::vector<Subject> subjects = {{"example1", "example1.c", ""},
                                         {"shared_array", "shared_array.c", ""},
                                         {"buffer", "buffer.c", ""},
                                         {"counter", "counter.c", "", true},
                                         {"10_pages", "pages.c", "-DPAGES=10"},
                                         {"100_pages", "pages.c", "-DPAGES=100"},
                                         {"1000_pages", "pages.c", "-DPAGES=1000"}};
  std::string folder = (fs::temp_directory_path() / "heddle-state-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) give_up("cannot make a folder for programs");
  for (const Subject& subject : subjects) Bench(subject, folder, seconds).measure(rounds);
  fs::remove_all(folder);
  return 0;
}

// A real program behind the seam: a process that waits at main and runs once per request.
//
// The target is never trusted to live, to answer, or to answer sensibly. Whatever it does, collect() returns: a Trace
// (End::Died, End::Hung or End::OutOfMemory where the process is gone), or an Error of the environment. A lost target is started again and the
// requests that it had not answered are handed over once more.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "target/memory_watch.h"
#include "target/patcher.h"
#include "target/program.h"
#include "target/segment.h"
#include "target/side_step.h"
#include "target/target_process.h"
#include "target/trace_codec.h"

namespace heddle {

struct ProcessOptions {
  std::string path;
  std::vector<std::string> arguments;
  std::string input_file;             // its standard input; empty: the tool's own (see capture_stdin)
  wire::Options wire;                 // executor: the one to begin with
  bool may_change_executor = true;    // from rollback to fork, when the target asks for it or cannot live without
  std::uint32_t max_steps = 100'000;  // where a request has none of its own
  std::uint32_t timeouts = 0;         // likewise; 0: any number
  std::uint64_t visited_bytes = 1ULL << 30;  // bound of the visited table, where wire.state has one
  bool may_capture_later = false;            // there is a table in any case: see change_mode()
  std::vector<wire::VisibleRange> visible;               // to begin with: a replay brings those of the recording
  std::vector<wire::ThreadName> threads;                 // likewise
  std::function<bool()> give_up = [] { return false; };  // asked while waiting
  // Names code before main, from the modules that are loaded by then.
  std::function<std::string(const std::vector<wire::Module>&, const std::vector<Address>&)> place = [](const auto&, const auto&) { return std::string("?"); };
  std::function<void(const std::string&)> say = [](const std::string&) {};  // one line for the user
};

class ProcessProgram final : public Program {
 public:
  // Looks at the file, starts it and waits until it stands at main.
  static Result<std::unique_ptr<ProcessProgram>> start(ProcessOptions options);

  Status submit(const Request& request) override;
  Result<Trace> collect() override;
  int in_flight() const override { return static_cast<int>(queue_.size()); }
  int capacity() const override { return 256; }
  void forget_states() override;
  Status adopt_threads(const std::vector<wire::ThreadName>& names) override;
  // REQUIRES nothing in flight.
  Status make_visible(Address address, std::uint64_t size) override;

  // REQUIRES nothing in flight, the rollback executor, and may_capture() if there are to be states.
  void change_mode(wire::StateMode state, wire::Visibility visibility);
  bool may_capture() const { return segment_.visited().exists(); }
  bool has_printed() const { return has_printed_; }  // in a run that has been collected

  const wire::Options& options() const { return options_.wire; }  // the executor is the one in use now, and so is the mode
  const std::string& path() const { return options_.path; }
  pid_t target_pid() const { return process_ ? process_->pid() : -1; }
  int output_fd() const { return output_.get(); }  // what the target prints arrives there
  int input_fd() const { return input_.get(); }  // what the program reads as standard input; -1: nothing

  // What the target loaded, and who created whom: copies, cut to what can be.
  std::vector<wire::Module> modules() const;
  std::vector<wire::ThreadName> thread_names() const override;
  std::vector<UncoveredNote> uncovered() const override;
  std::vector<OrderPair> order_pairs() const override;
  const std::vector<wire::VisibleRange>& visible_ranges() const { return visible_; }

 private:
  struct Waiting {
    Request request;
    std::uint64_t id = 0;      // of its last hand-over
    int losses = 0;            // targets that it has cost
  };
  // What came of waiting for the target.
  struct Answer {
    enum Kind { Arrived, Died, Hung, Full, OutOfMemory, Garbled, GivenUp } kind;
    DecodedTrace decoded = {};
    int wait_status = 0;
  };

  ProcessProgram(ProcessOptions options, Segment segment, UniqueFd input, UniqueFd output);

  Status launch();
  Status launch_once();
  Status await_ready();
  void hand_over_patches();
  Error runtime_error() const;
  Error startup_error(const std::string& what) const;
  std::string read_output(std::uint64_t most) const;

  void hand_over();
  void hand_over_again() { handed_ = 0; }
  Answer wait_for_answer();
  void step_aside();
  std::optional<Answer> take_message();
  bool message_waits() const;
  bool message_comes_soon();
  std::uint64_t memory() const;
  MemoryWatch::Advice look_at_memory() const;

  std::optional<Result<Trace>> judge(Answer answer);
  std::optional<Result<Trace>> judge_loss(const Answer& answer);
  bool knows_more_threads() const;
  Status change_to_fork(const std::string& why);
  Trace finish(Trace trace);
  void remember_states(Trace& trace);

  ProcessOptions options_;
  Segment segment_;
  UniqueFd input_, output_;
  std::optional<TargetProcess> process_;
  Patcher patcher_;
  std::vector<wire::VisibleRange> visible_;
  std::deque<Waiting> queue_;  // in the order of submission
  std::size_t handed_ = 0;     // so many of them, from the front, are with the target
  std::uint64_t next_id_ = 1;
  std::uint64_t answered_ = 0;  // by the process that runs now
  std::uint32_t threads_at_launch_ = 0;  // known when it was started
  bool was_killed_ = false;     // by a signal that nobody sends to itself, before it stood at main
  bool may_spin_ = true;
  bool has_printed_ = false;
  wire::Spinner spinner_;
  wire::GiveWay give_way_;
  SideStep side_step_;
};

}  // namespace heddle

#include "walk.h"

#include <deque>
#include <tuple>

#include <fmt/format.h>

namespace heddle::states {
namespace {

using Schedule = std::vector<Choice>;
using Step = std::tuple<Key, std::uint8_t, std::uint8_t>;  // from a state, by a choice

class Walk {
 public:
  Walk(ProcessProgram& program, const WalkOptions& options) : program_(program), options_(options) {}

  StateSpace walk() {
    work_.push_back({});
    while (!work_.empty() && space_.error.empty() && space_.states < options_.limit) {
      const Schedule schedule = std::move(work_.front());
      work_.pop_front();
      visit(schedule);
    }
    space_.complete = work_.empty();
    if (space_.complete) compare_revisits();
    return space_;
  }

 private:
  // The run that leads to the state after `schedule` and ends there. The state before the first event is led to by one that goes on by one.
  Result<Trace> lead_to(const Schedule& schedule) {
    Request request;
    request.prefix = schedule;
    request.capture = Capture::States;
    request.capture_from = static_cast<std::uint32_t>(schedule.size());
    request.max_steps = std::max<std::uint32_t>(1, request.capture_from);
    return program_.run(request);
  }

  static Schedule extended(Schedule schedule, Choice choice) {
    schedule.push_back(choice);
    return schedule;
  }

  // What can be done in the state that the run has led to.
  static std::vector<Choice> choices_in(const Schedule& schedule, const Trace& trace) {
    std::vector<Choice> choices;
    if (schedule.empty()) {  // nobody but main, whose alternatives the first event tells
      const Event& first = trace.events.at(0);
      for (int a = first.alternatives.next(); a >= 0; a = first.alternatives.next(a + 1))
        choices.push_back({first.thread, static_cast<std::uint8_t>(a)});
      return choices;
    }
    if (trace.end != wire::End::StepLimit) return choices;
    for (const Pending& p : trace.pending)
      for (int a = p.alternatives.next(); a >= 0; a = p.alternatives.next(a + 1))
        choices.push_back({p.thread, static_cast<std::uint8_t>(a)});
    return choices;
  }

  void visit(const Schedule& schedule) {
    Result<Trace> trace = lead_to(schedule);
    if (!trace) return fail(trace.error().what);
    ++space_.visits;
    space_.voided |= trace->states_void;
    if (trace->end == wire::End::Stopped) {
      ++space_.failures;
      return;
    }
    if (trace->states.empty()) return fail(fmt::format("a run ended ({}) without a state", static_cast<int>(trace->end)));
    const wire::Fingerprint state = trace->states.front();
    if (!schedule.empty()) successors_[{parents_[schedule], schedule.back().thread, schedule.back().alternative}] = key_of(state);
    if (!seen_.insert({key_of(state), choices_in(schedule, *trace)}).second) {
      if (revisits_.size() < options_.revisits) revisits_.push_back({schedule, *trace});
      parents_.erase(schedule);
      return;
    }
    parents_.erase(schedule);
    ++space_.states;
    space_.ends += trace->end == wire::End::Completed;
    space_.deadlocks += trace->end == wire::End::Deadlock;
    for (const Choice& choice : choices_in(schedule, *trace)) {
      work_.push_back(extended(schedule, choice));
      parents_[work_.back()] = key_of(state);
    }
  }

  // One state, one future: whatever way led there, the same can be done and leads to the same states.
  void compare_revisits() {
    for (const auto& [schedule, trace] : revisits_) {
      const Key state = key_of(trace.states.front());
      const std::vector<Choice> choices = choices_in(schedule, trace);
      if (choices != seen_.at(state)) return differ(schedule, "other choices");
      for (const Choice& choice : choices) {
        Result<Trace> next = lead_to(extended(schedule, choice));
        if (!next) return fail(next.error().what);
        const auto known = successors_.find({state, choice.thread, choice.alternative});
        const bool fails = next->end == wire::End::Stopped;
        if (fails != (known == successors_.end())) return differ(schedule, "fails or does not");
        if (!fails && key_of(next->states.front()) != known->second) return differ(schedule, "leads to another state");
      }
    }
  }

  void fail(const std::string& what) { space_.error = what; }
  void differ(const Schedule& schedule, const char* how) {
    space_.difference = fmt::format("after {} steps: {}", schedule.size(), how);
  }

  ProcessProgram& program_;
  const WalkOptions& options_;
  StateSpace space_;
  struct Order {
    bool operator()(const Schedule& a, const Schedule& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const Choice& x, const Choice& y) {
        return std::pair(x.thread, x.alternative) < std::pair(y.thread, y.alternative);
      });
    }
  };
  std::deque<Schedule> work_;
  std::map<Schedule, Key, Order> parents_;  // of what is in work_: the state that it leads on from
  std::map<Key, std::vector<Choice>> seen_;
  std::map<Step, Key> successors_;
  struct Revisit {
    Schedule schedule;
    Trace trace;
  };
  std::vector<Revisit> revisits_;
};

}  // namespace

Result<std::unique_ptr<ProcessProgram>> start_walked(const std::string& program, const std::vector<std::string>& arguments, const WalkOptions& options) {
  ProcessOptions process;
  process.path = program;
  process.arguments = arguments;
  process.input_file = "/dev/null";
  process.wire.state = options.mode;
  process.wire.unbuffered = options.mode != wire::StateMode::None;
  process.wire.visibility = options.visibility;
  process.wire.fingerprint_bits = options.fingerprint_bits;
  process.wire.spurious_wakeups = options.spurious_wakeups;
  return ProcessProgram::start(process);
}

StateSpace walk(const std::string& program, const std::vector<std::string>& arguments, const WalkOptions& options) {
  Result<std::unique_ptr<ProcessProgram>> started = start_walked(program, arguments, options);
  if (started) return Walk(**started, options).walk();
  StateSpace none;
  none.error = started.error().what;
  return none;
}

}  // namespace heddle::states

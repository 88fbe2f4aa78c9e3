#include "target/scripted/scripted_program.h"

#include <algorithm>
#include <set>
#include <utility>

#include "target/scripted/machine.h"
#include "wire/sampling.h"
#include "wire/turns.h"

namespace heddle::scripted {
namespace {

constexpr std::uint32_t kDefaultMaxSteps = 100'000;

int nth(const wire::SmallSet& set, std::uint64_t n) {
  int i = set.next();
  while (n--) i = set.next(i + 1);
  return i;
}

}  // namespace

// One request at a time: replay, sleep, choose, record.
class ScriptedProgram::Run {
 public:
  Run(Script script, Recording recording)
      : script_(std::move(script)), recording_(recording), machine_(script_, recording.races) {}

  Trace run(const Request& request) {
    begin(request);
    Trace trace;
    trace.events.reserve(expected_steps_);
    trace.end = steps(request, trace);
    finish(trace);
    trace.timeouts = {static_cast<std::uint8_t>(request.timeouts), static_cast<std::uint8_t>(std::min(machine_.most_timeouts(), 255u)), machine_.refused_timeout()};
    return trace;
  }

  const Script& script() const { return script_; }
  void forget_states() { visited_.clear(); }

 private:
  void begin(const Request& request) {
    machine_.reset(request.timeouts);
    asleep_ = {};
    passed_.clear();
    last_ = 0;
    gave_up_ = false;
    draw_ = wire::Draw(request.seed);
    if (request.policy == wire::Policy::Pct) pct_.begin(request.seed, request.depth, request.horizon);
    if (request.policy == wire::Policy::Pos) pos_.begin(request.seed);
  }

  wire::End steps(const Request& request, Trace& trace) {
    const std::uint32_t limit = request.max_steps ? request.max_steps : kDefaultMaxSteps;
    for (std::uint32_t step = 0;; ++step) {
      if (request.capture != Capture::None && step >= request.capture_from && !machine_.stopped() && !capture(request, trace))
        return wire::End::Revisited;
      if (machine_.stopped()) return wire::End::Stopped;
      if (machine_.exited() || !machine_.any_live()) return wire::End::Completed;
      look_around();
      if (enabled_.empty()) return machine_.timeouts_are_spent() ? wire::End::TimeoutLimit : wire::End::Deadlock;
      if (step >= limit) return wire::End::StepLimit;
      if (step == request.prefix.size()) fall_asleep(request);
      Choice choice;
      if (step < request.prefix.size()) {
        choice = request.prefix[step];
        if (!follow(choice)) return wire::End::Diverged;
      } else if (!choose(request, step, choice)) {
        return wire::End::SleepBlocked;
      }
      move(choice, trace, step >= request.prefix.size());
    }
  }

  // False if the run is to end at this state.
  bool capture(const Request& request, Trace& trace) {
    const wire::Fingerprint state = trace.states.emplace_back(machine_.fingerprint());
    if (request.capture == Capture::States) return true;
    const std::pair key{state.low, state.high};
    if (visited_.contains(key) || !passed_.insert(key).second) return false;
    if (visited_.size() < recording_.most_states) visited_.insert(key);
    else trace.visited_full = true;
    return true;
  }

  void look_around() {
    enabled_ = {};
    for (int t = 0; t < machine_.threads(); ++t) {
      if (!machine_.live(t)) continue;
      alternatives_[t] = machine_.alternatives(t);
      if (!alternatives_[t].empty()) enabled_.add(t);
    }
  }

  void fall_asleep(const Request& request) {
    for (const wire::SleepEntry& e : request.sleep) {
      asleep_.add(e.thread);
      sleeping_[e.thread] = e.alternatives;
    }
  }

  bool follow(Choice& choice) const {
    if (!enabled_.has(choice.thread)) return false;
    const AlternativeSet& a = alternatives_[choice.thread];
    if (choice.alternative == wire::kAnyAlternative) choice.alternative = static_cast<std::uint8_t>(a.next());
    return a.has(choice.alternative);
  }

  bool choose(const Request& request, std::uint32_t step, Choice& choice) {
    ThreadSet candidates;
    for (int t = enabled_.next(); t >= 0; t = enabled_.next(t + 1)) {
      if (asleep_.has(t))
        for (int w = 0; w < 2; ++w) alternatives_[t].word[w] &= ~sleeping_[t].word[w];
      if (!alternatives_[t].empty()) candidates.add(t);
    }
    if (candidates.empty()) return false;
    choice = pick(request, candidates, step);
    return true;
  }

  Choice pick(const Request& request, const ThreadSet& candidates, std::uint32_t step) {
    auto with_alternative = [&](int t) { return Choice{u8(t), u8(nth(alternatives_[t], draw_.below(alternatives_[t].count())))}; };
    switch (request.policy) {
      case wire::Policy::RunOn: return run_on(candidates);
      case wire::Policy::Random: return random(candidates);
      case wire::Policy::Sequential: {
        const int t = wire::first_in_order(request.seed, candidates);
        return {u8(t), u8(alternatives_[t].next())};
      }
      case wire::Policy::Pct: return with_alternative(pct_.pick(candidates, step));
      case wire::Policy::Pos: return with_alternative(pos_.pick(candidates, [&](int t) { return machine_.next(t); }));
    }
    HEDDLE_CHECK(false, "unknown policy");
  }

  // As the runtime does: keep the running thread; after it gave up waiting, let the others go first.
  Choice run_on(const ThreadSet& candidates) const {
    int t = -1;
    if (!gave_up_ && candidates.has(last_)) t = last_;
    if (gave_up_ && last_ + 1 < wire::kMaxThreads) t = candidates.next(last_ + 1);
    if (t < 0) t = candidates.next();
    return {u8(t), u8(alternatives_[t].next())};
  }

  Choice random(const ThreadSet& candidates) {
    std::uint64_t total = 0;
    for (int t = candidates.next(); t >= 0; t = candidates.next(t + 1)) total += static_cast<std::uint64_t>(alternatives_[t].count());
    std::uint64_t k = draw_.below(total);
    for (int t = candidates.next();; t = candidates.next(t + 1)) {
      const auto n = static_cast<std::uint64_t>(alternatives_[t].count());
      if (k < n) return {u8(t), u8(nth(alternatives_[t], k))};
      k -= n;
    }
  }

  void move(Choice choice, Trace& trace, bool free) {
    Event& e = trace.events.emplace_back();
    e.enabled = enabled_;
    e.alternatives = free ? machine_.alternatives(choice.thread) : alternatives_[choice.thread];
    wire::OpView done = view(choice);
    machine_.perform(choice.thread, choice.alternative, e);
    done.outcome = e.outcome;
    last_ = choice.thread;
    gave_up_ = wire::gave_up(e);
    if (free) wake(done);
  }

  wire::OpView view(Choice choice) const {
    wire::OpView v = machine_.next(choice.thread);
    v.alternative = choice.alternative;
    return v;
  }

  void wake(const wire::OpView& done) {
    if (asleep_.empty()) return;
    asleep_.remove(done.thread);
    for (int t = asleep_.next(); t >= 0; t = asleep_.next(t + 1)) {
      wire::OpView sleeper = machine_.next(t);
      if (machine_.would_fail(t)) sleeper.outcome = 0;
      if (sleeping_[t].count() == 1) sleeper.alternative = u8(sleeping_[t].next());
      if (wire::conflict(done, sleeper)) asleep_.remove(t);
    }
  }

  void finish(Trace& trace) {
    for (int t = 0; t < machine_.threads(); ++t)
      if (machine_.live(t)) trace.pending.push_back(machine_.pending(t));
    trace.reports = machine_.reports();
    trace.threads = static_cast<std::uint32_t>(machine_.created());
    expected_steps_ = trace.events.size();
    if (recording_.final_state) trace.final_state = machine_.final_state();
  }

  static std::uint8_t u8(int i) { return static_cast<std::uint8_t>(i); }

  const Script script_;
  const Recording recording_;
  Machine machine_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> visited_, passed_;  // by earlier runs, as far as there is room for them; by this one
  ThreadSet enabled_, asleep_;
  std::array<AlternativeSet, wire::kMaxThreads> alternatives_, sleeping_;
  wire::Draw draw_;
  wire::Pct pct_;
  wire::Pos pos_;
  int last_ = 0;
  bool gave_up_ = false;
  std::size_t expected_steps_ = 0;
};

ScriptedProgram::ScriptedProgram(Script script, Recording recording) : run_(std::make_unique<Run>(std::move(script), recording)) {}
ScriptedProgram::~ScriptedProgram() = default;

const Script& ScriptedProgram::script() const { return run_->script(); }

void ScriptedProgram::forget_states() { run_->forget_states(); }

Status ScriptedProgram::submit(const Request& request) {
  HEDDLE_CHECK(!trace_, "a scripted program holds one run at a time");
  Request limited = request;
  if (limited.timeouts == 0) limited.timeouts = timeouts_;
  trace_ = run_->run(limited);
  return Nothing{};
}

Result<Trace> ScriptedProgram::collect() {
  HEDDLE_CHECK(trace_.has_value(), "collect without a run");
  Trace t = std::move(*trace_);
  trace_.reset();
  return t;
}

}  // namespace heddle::scripted

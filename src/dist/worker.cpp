#include "dist/worker.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "detect/evidence.h"
#include "detect/finding.h"
#include "detect/notes.h"

namespace heddle {
namespace {

constexpr auto kLookEvery = std::chrono::microseconds(300);
constexpr int kMostRepeats = 3;

// Somebody outside kills processes: no run of the program ends so by itself.
bool was_killed(const Trace& trace) {
  return trace.end == wire::End::Died && WIFSIGNALED(trace.exit_status) && WTERMSIG(trace.exit_status) == SIGKILL;
}

}  // namespace

void Worker::work() {
  while (!stop_) {
    if (report_.id != 0) {
      step();
      continue;
    }
    auto message = link_.receive(true);
    if (!message) return;
    obey(*message);
  }
}

void Worker::obey(const Bytes& message) {
  std::optional<Command> command = from_bytes<Command>(message);
  HEDDLE_CHECK(command.has_value(), "a garbled command");
  switch (command->kind) {
    case Command::Kind::Explore:
      unit_ = std::move(command->unit);
      report_.id = command->id;
      search_.confine(unit_);
      tally_ = sent_ = {};
      marks_.clear();
      replay_check_.remember({});
      first_ = true;
      return;
    case Command::Kind::Unload:
      asked_ = true;
      threshold_ = command->threshold;
      return;
    case Command::Kind::Stop:
      stop_ = true;
      return;
  }
}

void Worker::step() {
  const std::optional<Request> request = search_.next();
  if (!request) {
    report_.finished = true;
    report_.settled = tally_.since(sent_);
    send();
    asked_ = false;
    return;
  }
  Result<Trace> trace = run(*request);
  if (!trace) {
    report_.error = trace.error();
  } else if (is_sound(*request, *trace)) {
    const Tally before = tally_;
    count(*request, *trace);
    suspect(*request, *trace);
    search_.learn(*request, *trace);
    while (!marks_.empty() && marks_.back().depth >= search_.branching()) marks_.pop_back();
    marks_.push_back({search_.branching(), before});
    if (std::exchange(first_, false)) {
      const std::size_t end = std::min(search_.floor(), trace->events.size());
      for (std::size_t i = unit_.fresh; i < end; ++i) report_.path.push_back(search_.taken(i));
    }
    replay_check_.remember(std::move(trace->events));
  }
  if (report_.error) {
    stop_ = true;
    return send();
  }
  if (!report_.path.empty()) send();
  look_around();
}

Result<Trace> Worker::run(const Request& request) {
  for (int repeats = 0;; ++repeats) {
    Result<Trace> trace = program_.run(request);
    if (!trace || !was_killed(*trace) || repeats == kMostRepeats) return trace;
  }
}

bool Worker::is_sound(const Request& request, const Trace& trace) {
  auto divergence = replay_check_.compare(request, trace);
  if (!divergence && trace.end == wire::End::Diverged) divergence = compare_runs({}, trace);
  if (divergence) {
    report_.error = divergence_error("the program does not repeat itself", *divergence);
  } else if (trace.end == wire::End::Unsupported) {
    report_.suspects.push_back({choices_of(trace), "unsupported"});  // worded by whoever has the names of places
    report_.error = Error{"unsupported", "", ExitCode::Unsupported};
  }
  return !report_.error;
}

void Worker::count(const Request& request, const Trace& trace) {
  ++(trace.end == wire::End::SleepBlocked ? tally_.blocked : tally_.executions);
  const std::size_t replayed = std::min(request.prefix.size(), trace.events.size());
  tally_.replayed += replayed;
  tally_.transitions += trace.events.size() - replayed;
  tally_.max_depth = std::max<std::uint64_t>(tally_.max_depth, trace.events.size());
  tally_.threads = std::max<std::uint64_t>(tally_.threads, trace.threads);
  tally_.hit_step_limit |= trace.end == wire::End::StepLimit;
}

void Worker::suspect(const Request& request, const Trace& trace) {
  if (trace.unjoined != 0 || !trace.reports.empty())
    for (const std::string& text : notes_of(trace))
      if (notes_.insert(text).second) report_.notes.push_back(text);
  for (const Finding& finding : detect(trace)) {
    if (finding.kind == FindingKind::DataRace && config_.races == Races::Ignore) {
      tally_.ignored_race = true;
      continue;
    }
    if (!signatures_.insert(finding.signature).second) continue;
    const bool lost = trace.events.size() < request.prefix.size();  // died without telling its steps
    report_.suspects.push_back({lost ? request.prefix : choices_of(trace), finding.signature});
  }
}

void Worker::look_around() {
  const bool can_unload = asked_ && search_.owes_at_most(threshold_ + 1) > threshold_;
  const auto now = Clock::now();
  if (!can_unload && now - looked_ < kLookEvery) return;
  looked_ = now;
  while (auto message = link_.receive(false)) obey(*message);
  if (can_unload) return unload();
  report_.reversals = search_.take_reversals();
  if (!report_.reversals.empty() || !report_.suspects.empty() || !report_.notes.empty()) send();
}

void Worker::unload() {
  report_.cut = search_.cut();
  // Runs from the one that entered the branch in which the unit goes on would be made again if this worker were lost.
  Tally settled = tally_;
  for (const Mark& mark : marks_)
    if (mark.depth < search_.floor()) settled = mark.before;
  settled.max_depth = tally_.max_depth;
  settled.threads = tally_.threads;
  report_.settled = settled.since(sent_);
  sent_ = settled;
  asked_ = false;
  send();
}

void Worker::send() {
  std::vector<Reversal> more = search_.take_reversals();
  std::move(more.begin(), more.end(), std::back_inserter(report_.reversals));
  report_.unsettled = tally_.since(report_.finished ? tally_ : sent_);
  if (!link_.send(to_bytes(report_))) stop_ = true;
  const UnitId id = report_.finished ? 0 : report_.id;
  report_ = {};
  report_.id = id;
}

}  // namespace heddle

#include "explore/reduction/reference/enumeration.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "explore/reduction/reference/naive_order.h"
#include "explore/reduction/reference/observed_text.h"

namespace heddle::reference {
namespace {

std::string difference_of(const char* what, const std::set<std::string>& mine, const std::set<std::string>& theirs) {
  std::string text;
  for (const std::string& s : theirs)
    if (!mine.contains(s)) text += fmt::format("missing {} {}\n", what, s);
  for (const std::string& s : mine)
    if (!theirs.contains(s)) text += fmt::format("invented {} {}\n", what, s);
  return text;
}

}  // namespace

void Observations::add(const Trace& trace) {
  if (trace.end == wire::End::SleepBlocked) {
    ++blocked;
    return;
  }
  ++executions;
  traces.insert(canonical_form(trace));
  add_ends(trace);
}

void Observations::add_ends(const Trace& trace) {
  if (trace.end == wire::End::Deadlock) deadlocks.insert(deadlock_text(trace));
  if (trace.end == wire::End::Completed) final_states.insert(trace.final_state);
  for (const wire::Report& r : trace.reports) {
    if (r.kind == wire::ReportKind::DataRace) races.insert(race_text(r.address, r.pc, r.other_pc));
    else failures.insert(failure_text(r));
  }
}

std::string Observations::difference(const Observations& other) const {
  return difference_of("deadlock", deadlocks, other.deadlocks) + difference_of("failure", failures, other.failures) +
         difference_of("race", races, other.races) + difference_of("final state", final_states, other.final_states) +
         difference_of("trace", traces, other.traces);
}

namespace {

// Preemptions of a run, after each of its steps: it moved on from a thread that could have gone on. Counted anew here; a thread
// gives way when it queues up, or has just given up waiting.
std::vector<std::uint32_t> preemptions_of(const Trace& trace) {
  std::vector<std::uint32_t> count;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    count.push_back(i == 0 ? 0 : count.back());
    if (i == 0 || trace.events[i].thread == trace.events[i - 1].thread) continue;
    const Event& last = trace.events[i - 1];
    const bool queued = last.op == Op::CondWait || (last.op == Op::FutexWait && last.outcome == 1);
    const bool names_a_thread = last.op == Op::CondSignal || last.op == Op::FutexWake || last.op == Op::Choose;
    const bool gave_up = last.alternative == 1 && !names_a_thread;
    if (trace.events[i].enabled.has(last.thread) && !queued && !gave_up) ++count.back();
  }
  return count;
}

}  // namespace

std::optional<Observations> enumerate(Program& program, std::uint64_t limit, const Bounds& bounds) {
  Observations seen;
  std::vector<Request> stack(1);
  while (!stack.empty()) {
    Request request = std::move(stack.back());
    stack.pop_back();
    request.max_steps = bounds.max_steps;
    const Trace trace = program.run(request).value();
    if (seen.executions >= limit) return std::nullopt;
    const std::vector<std::uint32_t> preemptions = preemptions_of(trace);
    // Running on never costs a preemption: if the run has too many, it began with too many.
    if (bounds.preemptions && !preemptions.empty() && preemptions.back() > *bounds.preemptions) continue;
    seen.add(trace);
    std::vector<Choice> prefix;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const Event& e = trace.events[i];
      auto branch = [&](int thread, int alternative) {
        Request other;
        other.prefix = prefix;
        other.prefix.push_back({static_cast<std::uint8_t>(thread), static_cast<std::uint8_t>(alternative)});
        stack.push_back(std::move(other));
      };
      // The last step asked for may have been an open choice: what else there is shows only now.
      const bool open = i + 1 == request.prefix.size() && request.prefix.back().alternative == wire::kAnyAlternative;
      if (i >= request.prefix.size() || open)
        for (int a = e.alternatives.next(); a >= 0; a = e.alternatives.next(a + 1))
          if (a != e.alternative) branch(e.thread, a);
      if (i >= request.prefix.size())
        for (int t = e.enabled.next(); t >= 0; t = e.enabled.next(t + 1))
          if (t != e.thread) branch(t, wire::kAnyAlternative);
      prefix.push_back({e.thread, e.alternative});
    }
  }
  return seen;
}

std::optional<Observations> search(Program& program, Reduction& reduction, std::uint64_t limit, std::uint32_t max_steps) {
  Observations seen;
  while (std::optional<Request> request = reduction.next()) {
    if (seen.executions + seen.blocked >= limit) return std::nullopt;
    request->max_steps = max_steps;
    const Trace trace = program.run(*request).value();
    HEDDLE_CHECK(trace.end != wire::End::Diverged, "a reduction asked for what is not possible");
    if (trace.end == wire::End::StepLimit)
      if (const auto other = reduction.for_cut_runs()) return search(program, *other, limit, max_steps);
    seen.add(trace);
    reduction.learn(*request, trace);
  }
  return seen;
}

}  // namespace heddle::reference

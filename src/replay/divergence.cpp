#include "replay/divergence.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/views.h"

namespace heddle {
namespace {

bool same_operation(const Event& a, const Event& b) {
  return a.thread == b.thread && a.op == b.op && a.object == b.object && second_object(a) == second_object(b) && a.pc == b.pc &&
         a.alternative == b.alternative && a.outcome == b.outcome && a.size == b.size;
}

bool is_foreign(Address address) {
  return wire::region_of(address) == wire::Region::Other || wire::region_of(address) == wire::Region::None;
}

Cause cause_of(const Event& recorded, const Event& now) {
  if (recorded.thread != now.thread) return Cause::NotEnabled;
  if (recorded.pc != now.pc || recorded.op != now.op) return Cause::ControlFlow;
  if (recorded.object != now.object || second_object(recorded) != second_object(now))
    return is_foreign(recorded.object) || is_foreign(now.object) ? Cause::Foreign : Cause::Object;
  return Cause::Outcome;
}

std::string operation_text(const Event& event, const PlaceName& place) {
  return fmt::format("thread {} {} at {}", event.thread, wire::op_text(event.op), place(event.pc));
}

const char* likely_cause(Cause cause) {
  switch (cause) {
    case Cause::NotEnabled:
      return "another thread had to wait, so a value read earlier differed: time, randomness, or memory written by "
             "uninstrumented code";
    case Cause::ControlFlow:
      return "a branch went the other way on a value that Heddle does not control: time, randomness, an address compared "
             "or printed, or uninstrumented code";
    case Cause::Object:
      return "the same code worked on another object: its address depends on something that is not part of the schedule "
             "(hashing or ordering by address, or allocation in uninstrumented code)";
    case Cause::Foreign:
      return "the object lies in memory that Heddle does not manage: mapped or allocated by uninstrumented code";
    case Cause::Outcome:
      return "the operation had another result: the value it saw was written by uninstrumented code, or depends on time or "
             "randomness";
    case Cause::EndedEarly:
      return "the run was over earlier: an exit or a loop count depends on time, randomness or input from outside";
    case Cause::SameOperations:
      return "every operation was the same, so the data differed: time, randomness, an address used as a value, or "
             "memory written by uninstrumented code";
  }
  return "unknown";
}

}  // namespace

std::string default_place_name(Address pc) {
  if (pc == 0) return "an unknown place";
  return fmt::format("module {}+{:#x}", wire::index_of(pc), wire::offset_of(pc));
}

Divergence compare_runs(std::span<const Event> recorded, const Trace& again) {
  const std::size_t common = std::min(recorded.size(), again.events.size());
  Divergence result;
  for (result.step = 0; result.step < common; ++result.step) {
    const Event& before = recorded[result.step];
    const Event& now = again.events[result.step];
    if (same_operation(before, now)) continue;
    result.cause = cause_of(before, now);
    result.recorded = before;
    result.now = now;
    return result;
  }
  if (result.step < recorded.size()) {
    result.recorded = recorded[result.step];
    result.cause = again.end == wire::End::Diverged ? Cause::NotEnabled : Cause::EndedEarly;
  } else if (again.end == wire::End::Diverged) {
    result.step = again.events.size();  // there is a schedule but no recording (or a shorter one) to compare with
    result.cause = Cause::NotEnabled;
  }
  return result;
}

std::string describe(const Divergence& divergence, const PlaceName& place) {
  std::string text;
  if (divergence.recorded && divergence.now) {
    text = fmt::format("first difference at step {}: recorded {}, now {}", divergence.step + 1,
                       operation_text(*divergence.recorded, place), operation_text(*divergence.now, place));
    if (divergence.cause == Cause::Outcome)
      text += fmt::format(" (result {} became {})", divergence.recorded->outcome, divergence.now->outcome);
  } else if (divergence.recorded) {
    text = fmt::format("first difference at step {}: recorded {}, now {}", divergence.step + 1,
                       operation_text(*divergence.recorded, place),
                       divergence.cause == Cause::NotEnabled ? "that thread cannot move" : "the run was already over");
  } else if (divergence.cause == Cause::NotEnabled) {
    text = fmt::format("at step {} the thread that should move cannot", divergence.step + 1);
  } else {
    text = fmt::format("all {} recorded operations were repeated", divergence.step);
  }
  return fmt::format("{}; likely cause: {}", text, likely_cause(divergence.cause));
}

Error divergence_error(const std::string& what, const Divergence& divergence, const PlaceName& place) {
  return Error{fmt::format("{}: {}", what, describe(divergence, place)),
               "make the program a function of its input and schedule: build every library it uses with heddle c++, fix "
               "seeds, and do not branch on addresses or on the time of day",
               ExitCode::Nondeterminism};
}

}  // namespace heddle

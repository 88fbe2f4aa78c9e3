#include "detect/endless.h"

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {
namespace {

bool is_fair(const Trace& trace, std::size_t begin) {
  ThreadSet possible, moved;
  for (std::size_t i = begin; i < trace.events.size(); ++i) {
    for (int w = 0; w < 2; ++w) possible.word[w] |= trace.events[i].enabled.word[w];
    moved.add(trace.events[i].thread);
  }
  for (int w = 0; w < 2; ++w) possible.word[w] &= ~moved.word[w];
  return possible.empty();
}

}  // namespace

std::optional<Finding> endless_finding(const Trace& trace) {
  // A lap is shown in a run of its own, which is told to end with it. A search on its way comes back too, and a run that its last step has ended has no state
  // after that step: that it is back where it was is not known.
  if (trace.end != wire::End::StepLimit) return std::nullopt;
  if (trace.states.size() < 2 || !(trace.states.front() == trace.states.back())) return std::nullopt;
  const std::size_t lap = trace.states.size() - 1;
  if (lap > trace.events.size()) return std::nullopt;
  const std::size_t begin = trace.events.size() - lap;
  if (!is_fair(trace, begin)) return std::nullopt;

  Finding finding;
  finding.kind = FindingKind::Livelock;
  finding.choices = choices_of(trace);
  finding.step = static_cast<std::uint32_t>(trace.events.size());
  finding.lap = static_cast<std::uint32_t>(lap);
  std::vector<std::string> places;
  for (std::size_t i = begin; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    places.push_back(place_text(e.pc));
    const bool known = std::any_of(finding.involved.begin(), finding.involved.end(), [&](const Involved& v) { return v.thread == e.thread; });
    if (known) continue;
    finding.involved.push_back({e.thread, fmt::format("goes round through {}", wire::op_text(e.op)), e.object, e.size,
                                stack_of(trace, wire::StackRecord::OfEvent, static_cast<std::uint32_t>(i), e.pc)});
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  finding.message = finding.involved.size() == 1
                        ? fmt::format("livelock: a thread can repeat the same {} steps for ever, and nobody else can move", lap)
                        : fmt::format("livelock: {} threads can repeat the same {} steps for ever without getting on", finding.involved.size(), lap);
  finding.signature = make_signature(FindingKind::Livelock, places);
  return finding;
}

}  // namespace heddle

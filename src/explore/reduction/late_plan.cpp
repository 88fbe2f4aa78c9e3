#include "explore/reduction/late_plan.h"

#include <algorithm>

namespace heddle {

KeptRun::KeptRun(const Trace& trace, const Causality& causality, std::uint32_t base)
    : base_(base), stride_(static_cast<std::size_t>(causality.threads())) {
  const bool fatal = ends_by_last_event(trace);
  for (std::size_t i = base; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    steps_.push_back({{view_of(e), {e.thread, e.alternative}, fatal && i + 1 == trace.events.size()}, causality.position(i)});
  }
  for (std::size_t i = base; i < trace.events.size() + trace.pending.size(); ++i) {
    const auto clock = causality.clock(i);
    clocks_.insert(clocks_.end(), clock.begin(), clock.end());
  }
}

void LatePlan::spell_out(WakeupForest& forest, WakeupForest::Branches& into) const {
  std::uint32_t parent = WakeupForest::kNone;
  auto append = [&](const Transition& t) {
    parent = parent == WakeupForest::kNone ? forest.append(into, t) : forest.append_below(parent, t);
  };
  for (std::uint32_t i = first + 1; i < std::min(second, run->end()); ++i) {
    auto causes_it = [&](std::uint32_t gone) { return run->before(gone, i); };
    if (run->before(i, second) && std::none_of(removed.begin(), removed.end(), causes_it)) append(run->step(i));
  }
  append(last);
}

}  // namespace heddle

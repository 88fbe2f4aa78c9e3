// A word v that asks to be planned, step by step: what optimal (one process) and the trunk (many) share of inserting it.
//
// Paper: Abdulla et al. (optimal.h). A step is any type with members `transition` and `gone`; a step that is gone is on the way down the
// wakeup tree already. `front` spares looking at the beginning of a word that is gone altogether.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "explore/reduction/wakeup_tree.h"

namespace heddle {

// Is t a weak initial of what is left of v: WI(v)? Nothing: it is. Otherwise the step that wakes t, by its place in v.
// A t that nobody has run yet may be the very step that ends v: then it would end the run here, too, and has to stay behind the others.
template <class Step>
std::optional<std::size_t> waker_of(const Transition& t, const std::vector<Step>& v, std::size_t front = 0) {
  std::optional<std::size_t> before;  // the first step of v that is left
  for (std::size_t k = front; k < v.size(); ++k) {
    if (v[k].gone) continue;
    const Transition& step = v[k].transition;
    const bool same_thread = step.choice.thread == t.choice.thread;
    if (same_thread && t.same(step.choice)) return step.fatal ? before : std::nullopt;
    if (same_thread || t.conflicts(step)) return k;
    if (!before) before = k;
  }
  return std::nullopt;
}

// The next step of this thread in what is left of v, by its place.
template <class Step>
std::optional<std::size_t> step_of(std::uint8_t thread, const std::vector<Step>& v, std::size_t front = 0) {
  for (std::size_t k = front; k < v.size(); ++k)
    if (!v[k].gone && v[k].transition.choice.thread == thread) return k;
  return std::nullopt;
}

// The way down the tree takes the next step of this thread.
template <class Step>
void take_step_of(std::uint8_t thread, std::vector<Step>& v, std::size_t front = 0) {
  if (const auto k = step_of(thread, v, front)) v[*k].gone = true;
}

}  // namespace heddle

// Preemptions: switches away from a thread that could have gone on.
//
// No preemption is a switch away from a thread that is blocked, awaits a change or has ended, and none away from one that gives way
// (wire/turns.h). Which alternative a thread takes never is one.
#pragma once
#include <cstdint>
#include <span>

#include "model/trace.h"
#include "wire/turns.h"

namespace heddle {

// Would `thread` preempt whoever moved last, in a state where these are enabled?
inline bool preempts(const Event& last, const ThreadSet& enabled, int thread) {
  return last.thread != thread && enabled.has(last.thread) && !wire::gives_way(last);
}

// Does the event at i preempt the one before it?
inline bool is_preemption(std::span<const Event> events, std::size_t i) {
  return i > 0 && preempts(events[i - 1], events[i].enabled, events[i].thread);
}

inline std::uint32_t count_preemptions(std::span<const Event> events) {
  std::uint32_t n = 0;
  for (std::size_t i = 1; i < events.size(); ++i) n += is_preemption(events, i);
  return n;
}

}  // namespace heddle

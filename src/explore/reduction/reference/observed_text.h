// What was seen of a program, as texts that can be compared between searches. Linked into tests only.
#pragma once
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "model/trace.h"

namespace heddle::reference {

inline std::string deadlock_text(const Trace& trace) {
  std::string text;
  for (const Pending& p : trace.pending) text += fmt::format("{}:{}:{:x} ", p.thread, wire::op_name(p.op), p.object);
  return text + trace.final_state;
}

inline std::string race_text(Address variable, Address pc, Address other_pc) {
  return fmt::format("{:x}: {:x} and {:x}", variable, std::min(pc, other_pc), std::max(pc, other_pc));
}

inline std::string failure_text(const wire::Report& r) { return fmt::format("{} at {:x}", r.text, r.pc); }

// How a run that was not stopped left the program. After an exit: what the thread that called it knows, and what is shared. How far
// the others' local steps had got then is nothing that anybody can tell.
inline std::string outcome_text(const Trace& trace) {
  if (trace.events.empty() || trace.events.back().op != Op::Exit) return trace.final_state;
  std::size_t begin = trace.final_state.find('|');
  const std::string shared = trace.final_state.substr(0, begin);
  for (int t = 0; t < trace.events.back().thread; ++t) begin = trace.final_state.find('|', begin + 1);
  const std::size_t end = trace.final_state.find('|', begin + 1);
  return fmt::format("exit of {}: {}{}", trace.events.back().thread, shared, trace.final_state.substr(begin, end - begin));
}

}  // namespace heddle::reference

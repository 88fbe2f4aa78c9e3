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

}  // namespace heddle::reference

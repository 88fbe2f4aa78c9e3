// What the detectors share: call stacks of a trace by owner, names of code places, signatures.
#pragma once
#include <string>
#include <vector>

#include "detect/finding.h"

namespace heddle {

// The recorded stack of an owner, or the one frame that is known without detail, or nothing.
std::vector<Address> stack_of(const Trace& trace, wire::StackRecord::Owner owner, std::uint32_t index, Address pc);

// A stable name of a code place or object: "1:2f04" (module or thread number, offset), led by a letter for its region.
std::string place_text(Address address);

// kind, then the places in an order that does not depend on who came first.
std::string make_signature(FindingKind kind, std::vector<std::string> places);

std::string thread_text(std::uint8_t thread);  // "main" or "thread 2"
std::string report_text(const wire::Report& report);

}  // namespace heddle

// A whole run as a value: what happened, what was pending at its end, what the runtime saw go wrong.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wire/wire.h"

namespace heddle {

using wire::Address;
using wire::AlternativeSet;
using wire::Choice;
using wire::Event;
using wire::Op;
using wire::Pending;
using wire::ThreadSet;

struct Stack {
  wire::StackRecord::Owner owner{};
  std::uint8_t thread = 0;
  std::uint32_t owner_index = 0;
  std::vector<Address> frames;  // innermost first
  std::uint32_t size = 0;       // of the access, where the owner is the earlier side of a report
};

// How often waits timed out, and might (wire::RequestHeader::timeouts).
struct Timeouts {
  std::uint8_t limit = 0;  // 0: none
  std::uint8_t most = 0;   // of one thread at one place; 255: or more
  bool spent = false;      // a wait was not let time out any more
};

struct Trace {
  wire::End end = wire::End::Completed;
  std::vector<Event> events;
  std::vector<Pending> pending;       // one per unfinished thread
  std::vector<wire::Report> reports;
  std::vector<Stack> stacks;          // only of a detailed run
  std::uint32_t threads = 0;
  std::uint32_t unjoined = 0;
  std::int32_t exit_status = 0;
  std::uint32_t races_dropped = 0;
  Timeouts timeouts;
  bool weak_orders = false;           // an atomic operation ordered less than it could
  bool accessed = true;               // instrumented code has accessed memory
  bool shared = false;                // two threads have made conflicting accesses to the same bytes, in whatever order
  std::string output;                 // only where the request kept it

  // Only where the request captured states: states[k] is the state after capture_from + k events, down to the end of the run.
  // There is none after an event that ended the run by a failure.
  std::vector<wire::Fingerprint> states;
  bool visited_full = false;          // the table of visited states could not take all of them
  // The program has looked at a clock for the first time: from the next run on time is part of a state, and what was learned from
  // fingerprints so far must be forgotten. The search has to start over (Program::forget_states).
  bool states_void = false;

  // Filled by scripted programs only: every variable's value at the end, as text. Compared with the reference.
  std::string final_state;
};

// The choices that reproduce a trace.
std::vector<Choice> choices_of(const Trace& trace);

}  // namespace heddle

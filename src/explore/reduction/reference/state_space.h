// Every reachable state of a script, without any cleverness: what the stateful searches are measured against.
//
// States are kept as the full text of the machine's state, not as hashes, and every transition of every state is taken. Shares
// nothing with the searches but the machine. Linked into tests only.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "target/scripted/script.h"

namespace heddle::reference {

struct StateSpace {
  std::set<std::string> deadlocks;   // who is left with what, as Observations::deadlocks
  std::set<std::string> failures;    // as Observations::failures
  std::set<std::string> final_states;
  std::set<std::string> neighbours;  // conflicting accesses that are next in one state, not both atomic: as Observations::races
  bool cyclic = false;
  bool livelock = false;             // threads can go round for ever, and nobody who could move is left out
  bool certain_livelock = false;     // they can come to where nothing leads out
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

// Nothing if there are more than `limit` states.
std::optional<StateSpace> enumerate_states(const scripted::Script& script, std::uint64_t limit);

}  // namespace heddle::reference

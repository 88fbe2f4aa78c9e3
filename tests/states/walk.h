// Walks through every state of a real program, by breadth and with the plainest of means: each state is reached by a run of its own from the start,
// and told apart from others by nothing but its fingerprint.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "target/process_program.h"

namespace heddle::states {

using Key = std::pair<std::uint64_t, std::uint64_t>;  // a fingerprint that can be ordered
inline Key key_of(const wire::Fingerprint& f) { return {f.low, f.high}; }

struct StateSpace {
  std::size_t states = 0;
  std::size_t visits = 0;
  std::size_t ends = 0;       // states in which the program is over
  std::size_t deadlocks = 0;
  std::size_t failures = 0;   // transitions that end in a report
  bool voided = false;        // some run said that fingerprints say too little
  bool complete = false;      // all of it, within the limit
  std::string error;
  std::string difference;     // two visits of one state that do not have the same future: there must be none
};

struct WalkOptions {
  wire::StateMode mode = wire::StateMode::Exact;
  wire::Visibility visibility = wire::Visibility::Racy;
  std::uint8_t fingerprint_bits = 0;
  bool spurious_wakeups = false;
  std::size_t limit = 20'000;     // states
  std::size_t revisits = 200;     // so many second visits of states are compared with the first
};

// The program as it is walked.
Result<std::unique_ptr<ProcessProgram>> start_walked(const std::string& program, const std::vector<std::string>& arguments, const WalkOptions& options);

StateSpace walk(const std::string& program, const std::vector<std::string>& arguments, const WalkOptions& options);

}  // namespace heddle::states

// All interleavings of a script's native twin (tests/twins), each state of each compared with the script's state at the same place.
//
// A script says what a state is without knowing fingerprints, pages or registers: its machine can be asked for everything that decides what can
// still happen. So it can judge what the runtime says of the twin, both ways:
//
//   equal states have equal fingerprints. The exception: for how long a thread has done nothing but read decides when its loop will be known for a wait
//   (runtime/await.cpp), so that it is part of a state. After a compare-exchange it shows whether that has failed, which scripts do not remember.
//
//   Equal fingerprints belong to equal states. The exception: scripts tell registers apart that nobody will read. So two of their states count as equal
//   if memory is, and the same can be done in both, now and ever after.
//
// In --state=verify the runtime writes down all memory, stacks and objects at each of these states besides, and compares them both ways.
#pragma once
#include <cstddef>
#include <string>

#include "target/scripted/script.h"

namespace heddle::states {

struct EveryWay {
  std::size_t ways = 0;    // interleavings
  std::size_t visits = 0;  // states in them, one by one
  std::size_t states = 0;  // different ones, of the script
  std::size_t split = 0;   // of these, those with several fingerprints: there must be none, but for the exception
  std::string error;       // a run that was not as it should be, and what --state=verify says
  std::string lost;        // two different states with one fingerprint: there must be none
};

// `program` is the twin, chosen by `argument`.
EveryWay compare_every_way(const scripted::Script& script, const std::string& program, const std::string& argument);

}  // namespace heddle::states

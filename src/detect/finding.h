// Something wrong with the tested program, as a plain value that can be compared, stored and sent.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/trace.h"

namespace heddle {

enum class FindingKind {
  Assertion, Abort, Exception, Crash, Deadlock, DataRace, UseAfterFree, UseAfterReturn, DoubleFree, BadFree, HeapOverflow, LockMisuse,
  Livelock, UncaughtExit,
};
const char* kind_name(FindingKind kind);  // as in JSON: "data-race", "use-after-free", …

// One place in the code that takes part, as addresses; report/ turns it into file and line.
struct Involved {
  std::uint8_t thread = 0;
  std::string role;             // "write of 4 bytes", "holds", "waits for", "freed", …
  Address object = 0;           // what it is about, where that makes sense
  std::uint32_t size = 0;
  std::vector<Address> stack;   // innermost first; at least the one frame that is known
};

struct Finding {
  FindingKind kind{};
  std::string message;          // one line without addresses that change between builds
  std::vector<Involved> involved;
  std::vector<Choice> choices;  // the schedule that shows it, complete
  std::string maybe_ordered_by;  // of a race: the library or function that is not seen and may order its two sides; empty: it is a bug
  std::string signature;        // equal for equal bugs: kind and code places, not the schedule
  std::uint32_t step = 0;       // number of events before it showed
  std::uint32_t timeouts = 0;   // Timeouts::limit of the run: it takes the same to show it again
  std::uint32_t lap = 0;        // of a livelock: the last so many steps lead back to the state before them
};

// Where the memory lies that a bug of memory is about; null for other kinds of bugs, and where it is not known.
const Involved* place_in_memory(const Finding& finding);

using Signatures = std::set<std::string>;

// All findings of one trace. Pure. Stacks are single frames unless the trace is a detailed one.
// Of `known` reports no more is made than their signature: where most runs end in the same bugs, wording them is what takes long.
std::vector<Finding> detect(const Trace& trace, const Signatures& known = {});

}  // namespace heddle

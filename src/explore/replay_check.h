// Notices a program that is not a function of its schedule while it is being explored.
//
// Consecutive runs of a search share a prefix of choices; the same operations must have happened in it. That is all that can
// be checked without keeping every run, and in a depth-first search it is nearly everything.
#pragma once
#include <optional>
#include <vector>

#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

class ReplayCheck {
 public:
  // The first difference between this run and the one remembered, in the part that they were asked to share.
  // ENSURES no answer for a program that is deterministic.
  std::optional<Divergence> compare(const Request& request, const Trace& trace) const;

  void remember(std::vector<Event> events) { last_ = std::move(events); }

 private:
  std::vector<Event> last_;
};

}  // namespace heddle

// What a trunk is made of. Part of trunk.cpp, trunk_repetitions.cpp and trunk_save.cpp.
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dist/trunk.h"

namespace heddle {

struct Trunk::Branch {
  enum class Phase { Waiting, Given, Open, Finished };
  State* from = nullptr;  // null: the root
  Transition transition;
  Phase phase = Phase::Waiting;
  bool leaf = true;       // no plan leads on from here: everything behind it is explored
  bool seen = false;      // a run has taken it, and its races have been looked at
  bool known = false;     // a run has taken it once
  bool complete = false;  // nothing waits or is given out behind it
  UnitId id = 0;
  UnitId scout = 0;       // the unit that is about to see it
  std::vector<UnitId> behind;    // waiting units that cannot be given out as long as it is as it is
  std::vector<Plan> rest; // Given, after a cut: what was planned behind it, if the unit has to be begun again
  std::optional<Cut> snapshot;   // Given: where the unit was when it was last asked
  std::uint64_t runs = 0;        // executions behind it that are settled, but for those counted further down
  std::uint64_t kept = 0;        // of the unit: executions that need not be made again by whoever goes on from the snapshot
  bool repeats = false;          // what is behind it is explored behind an alternative as well, which was told of too late
  std::unique_ptr<State> state;  // Open only
  // Not known yet: reversals that it covers unless it turns out to be something else, each with the branch it came through.
  std::vector<std::pair<Branch*, std::vector<Reversal::Step>>> covers;
};

struct Trunk::State {
  Branch* into = nullptr;
  std::uint32_t depth = 0;
  std::vector<std::unique_ptr<Branch>> branches;

  std::size_t index_of(const Branch* b) const {
    auto it = std::find_if(branches.begin(), branches.end(), [&](const auto& p) { return p.get() == b; });
    return static_cast<std::size_t>(it - branches.begin());
  }
};

// From those who sleep where a branch is taken to those who sleep behind it.
template <class Sleeper>
void Trunk::fall_asleep(std::vector<Sleeper*>& asleep, const Branch& taken) {
  for (const auto& earlier : taken.from->branches) {
    if (earlier.get() == &taken) break;
    asleep.push_back(earlier.get());
  }
  std::erase_if(asleep, [&](const Branch* s) { return s->transition.conflicts(taken.transition); });
}

}  // namespace heddle

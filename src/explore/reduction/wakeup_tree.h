// What a node of the search still owes, as ordered trees of transitions; those of all nodes live in one pool.
//
// A branch of the tree is a sequence to be run. Where sequences share a beginning they share the branch, in the order in which they came.
#pragma once
#include <cstdint>
#include <vector>

#include "model/views.h"

namespace heddle {

// A transition as sleep sets, backtrack sets and wakeup trees hold it.
struct Transition {
  OpView operation;
  Choice choice;       // kAnyAlternative: whichever comes first, the others follow from there
  bool fatal = false;  // ended the run: its order with everything matters

  bool same(const Choice& other) const {
    const bool any = choice.alternative == wire::kAnyAlternative || other.alternative == wire::kAnyAlternative;
    return choice.thread == other.thread && (any || choice.alternative == other.alternative);
  }
  bool conflicts(const Transition& other) const { return fatal || other.fatal || wire::conflict(operation, other.operation); }
};

class WakeupForest {
 public:
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  struct Branches {  // siblings, oldest first
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    bool empty() const { return first == kNone; }
  };
  struct Branch {
    Transition transition;
    Branches below;
    std::uint32_t next = kNone;
    std::uint32_t run = 0;  // in which it was planned
    bool foreseen = false;  // ReversalSearch::foresee() has told of it
  };

  void set_run(std::uint32_t run) { run_ = run; }  // of all that is planned from now on

  // References hold until the next append.
  Branch& operator[](std::uint32_t i) { return pool_[i]; }
  const Branch& operator[](std::uint32_t i) const { return pool_[i]; }

  std::uint32_t append(Branches& to, const Transition& t) {
    const std::uint32_t i = fresh();
    pool_[i] = {t, {}, kNone, run_, false};
    if (to.empty()) to.first = i;
    else pool_[to.last].next = i;
    to.last = i;
    return i;
  }

  // In front of all others.
  void prepend(Branches& to, const Transition& t) {
    const std::uint32_t i = fresh();
    pool_[i] = {t, {}, to.first, run_, false};
    to.first = i;
    if (to.last == kNone) to.last = i;
  }

  // Below branch `parent`.
  std::uint32_t append_below(std::uint32_t parent, const Transition& t) {
    Branches below = pool_[parent].below;
    const std::uint32_t i = append(below, t);
    pool_[parent].below = below;
    return i;
  }

  // Takes the oldest branch away from its siblings and answers it; what is below it is the caller's now. REQUIRES !from.empty().
  Branch take(Branches& from) {
    const std::uint32_t i = from.first;
    from.first = pool_[i].next;
    if (from.first == kNone) from.last = kNone;
    free_.push_back(i);
    return pool_[i];
  }

  std::size_t size() const { return pool_.size() - free_.size(); }  // branches alive

 private:
  std::uint32_t fresh() {
    if (free_.empty()) {
      pool_.emplace_back();
      return static_cast<std::uint32_t>(pool_.size() - 1);
    }
    const std::uint32_t i = free_.back();
    free_.pop_back();
    return i;
  }

  std::vector<Branch> pool_;
  std::vector<std::uint32_t> free_;
  std::uint32_t run_ = 0;
};

}  // namespace heddle

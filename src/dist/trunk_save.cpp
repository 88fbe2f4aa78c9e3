// A trunk as bytes: its branches in the order of a walk from the root, each with the number of those below it.
//
// A unit that is given out is saved as if it had been taken back: where its last snapshot says, or from its beginning.
#include "dist/trunk_tree.h"

namespace heddle {

struct Trunk::Saved {
  enum class Kind : std::uint8_t { Finished, Owed, Open };
  Kind kind = Kind::Owed;
  Transition transition;
  bool leaf = true, seen = false, known = false;
  std::uint64_t below = 0;      // Open: so many branches
  std::uint64_t runs = 0;
  bool repeats = false;
  struct Covered {              // see Branch::covers: the branch it came through, by levels up and place among its siblings
    std::uint32_t up = 0, place = 0;
    std::vector<Reversal::Step> steps;
    template <class Archive> friend void describe(Archive& a, Covered& c) { a(c.up)(c.place)(c.steps); }
  };
  std::vector<Covered> covers = {};
  template <class Archive> friend void describe(Archive& a, Saved& s) {
    a(s.kind)(s.transition)(s.leaf)(s.seen)(s.known)(s.below)(s.runs)(s.repeats)(s.covers);
  }
};

class Trunk::Saver {
 public:
  std::vector<Saved> walk(const Branch& root) {
    left_.push_back({.branch = &root});
    while (!left_.empty()) {
      const Item item = left_.back();
      left_.pop_back();
      if (item.branch) save(*item.branch);
      else if (item.plan) save(*item.plan);
      else if (item.done) entries_.push_back({.kind = Saved::Kind::Finished, .transition = *item.done, .leaf = true, .seen = true, .known = true});
      else save_taken(*item.cut, item.at);
    }
    return std::move(entries_);
  }

 private:
  // Exactly one of the pointers: a branch of the trunk, or what becomes of a plan or of a snapshot's states.
  struct Item {
    const Branch* branch = nullptr;
    const Plan* plan = nullptr;
    const Transition* done = nullptr;
    const Cut* cut = nullptr;
    std::size_t at = 0;  // with `cut`: the branch taken in this state of it
  };

  void save(const Branch& b) {
    Saved& entry = entries_.emplace_back(Saved{.transition = b.transition, .leaf = b.leaf, .seen = b.seen, .known = b.known, .runs = b.runs + b.kept, .repeats = b.repeats});
    for (const auto& [via, steps] : b.covers)
      entry.covers.push_back({b.from->depth - via->from->depth, static_cast<std::uint32_t>(via->from->index_of(via)), steps});
    if (b.phase == Branch::Phase::Finished) {
      entry.kind = Saved::Kind::Finished;
    } else if (b.phase == Branch::Phase::Open) {
      open(entry, b.state->branches.size());
      for (auto it = b.state->branches.rbegin(); it != b.state->branches.rend(); ++it) left_.push_back({.branch = it->get()});
    } else if (b.snapshot) {
      save_state(entry, *b.snapshot, 0);
    } else {
      begin_again(entry, b.rest);
    }
  }

  void save(const Plan& plan) {
    Saved& entry = entries_.emplace_back(Saved{.transition = plan.transition, .leaf = plan.below.empty()});
    save_plans(entry, plan.below);
  }

  void save_taken(const Cut& cut, std::size_t at) {
    Saved& entry = entries_.emplace_back(Saved{.transition = cut.states[at].taken, .seen = true, .known = true});
    if (at + 1 < cut.states.size()) save_state(entry, cut, at + 1);
    else begin_again(entry, cut.rest);
  }

  // The state behind `entry` is the snapshot's state number `at`.
  void save_state(Saved& entry, const Cut& cut, std::size_t at) {
    const Cut::State& state = cut.states[at];
    open(entry, state.done.size() + 1 + state.owed.size());
    for (auto it = state.owed.rbegin(); it != state.owed.rend(); ++it) left_.push_back({.plan = &*it});
    left_.push_back({.cut = &cut, .at = at});
    for (auto it = state.done.rbegin(); it != state.done.rend(); ++it) left_.push_back({.done = &*it});
  }

  void begin_again(Saved& entry, const std::vector<Plan>& rest) {
    entry.seen = false;
    save_plans(entry, rest);
  }

  void save_plans(Saved& entry, const std::vector<Plan>& plans) {
    if (plans.empty()) return;
    open(entry, plans.size());
    for (auto it = plans.rbegin(); it != plans.rend(); ++it) left_.push_back({.plan = &*it});
  }

  static void open(Saved& entry, std::size_t below) {
    entry.kind = Saved::Kind::Open;
    entry.below = below;
  }

  std::vector<Item> left_;
  std::vector<Saved> entries_;
};

// What is kept of units that are given out is settled by whoever goes on from here.
Bytes Trunk::save() const {
  std::uint64_t made_twice = made_twice_;
  for (const auto& [id, unit] : by_id_)
    if (is_made_twice(*unit)) made_twice += unit->kept;
  return to_bytes(std::pair{made_twice, Saver().walk(*root_)});
}

std::optional<Trunk> Trunk::restore(const Bytes& bytes, Sleep sleep) {
  const auto saved = from_bytes<std::pair<std::uint64_t, std::vector<Saved>>>(bytes);
  Trunk trunk(sleep);
  if (!saved || saved->second.empty() || !trunk.rebuild(saved->second)) return std::nullopt;
  trunk.made_twice_ = saved->first;
  trunk.may_repeat_ = trunk.sleeps_;
  return trunk;
}

bool Trunk::rebuild(const std::vector<Saved>& entries) {
  waiting_ = 0;
  ready_.clear();
  by_id_.clear();
  root_->id = 0;
  std::vector<Branch*> built;
  std::vector<std::pair<Branch*, std::uint64_t>> open_ones;  // and how many branches they still lack
  for (const Saved& entry : entries) {
    if (!built.empty() && open_ones.empty()) return false;
    State* state = built.empty() ? nullptr : open_ones.back().first->state.get();
    Branch& b = state ? add(*state, state->branches.size(), entry.transition) : *root_;
    if (state && --open_ones.back().second == 0) open_ones.pop_back();
    built.push_back(&b);
    b.leaf = entry.leaf;
    b.seen = entry.seen;
    b.known = entry.known;
    b.runs = entry.runs;
    b.repeats = entry.repeats;
    switch (entry.kind) {
      case Saved::Kind::Finished:
        b.phase = Branch::Phase::Finished;
        break;
      case Saved::Kind::Owed:
        if (!entry.leaf) return false;
        wait(b);
        break;
      case Saved::Kind::Open:
        if (entry.below == 0) return false;
        open(b);
        open_ones.emplace_back(&b, entry.below);
        break;
      default:
        return false;
    }
  }
  if (!open_ones.empty()) return false;
  for (std::size_t i = built.size(); i-- > 0;) {  // those below come first
    Branch& b = *built[i];
    b.complete = b.phase == Branch::Phase::Finished;
    if (b.phase == Branch::Phase::Open)
      b.complete = std::all_of(b.state->branches.begin(), b.state->branches.end(), [](const auto& s) { return s->complete; });
    for (const Saved::Covered& c : entries[i].covers) {
      const State* state = b.from;
      for (std::uint32_t up = c.up; up > 0 && state; --up) state = state->into->from;
      if (!state || c.place >= state->branches.size()) return false;
      b.covers.emplace_back(state->branches[c.place].get(), c.steps);
    }
  }
  return true;
}

}  // namespace heddle

// The part of a search tree that no single worker owns: the states above all units (explore/reduction/unit.h).
//
// A state has ordered branches. A branch is finished, given out as a unit, waiting to be given out, or open: then the state behind
// it is in the trunk too, because a unit was cut or because a plan leads through it. Only here are branches added to a shared state, one
// Reversal after the other, and so `optimal` keeps its promise with any number of workers: every new branch wakes all
// branches before it, and no two branches of a state lead to the same trace.
//
// The rules are those of the sequential insertion (optimal.cpp), with one difference: there, a plan that a reversal leads into has not
// been begun. Here its states may be explored already, even finished; they are kept, and take part again, until everything
// that could add to them is finished too.
//
// A step that nobody has run yet may turn out to end the run, or to have alternatives. So only one unit goes through it, and those
// behind it and after it wait for what that one says; a reversal that it seems to cover is looked at again.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dist/messages.h"

namespace heddle {

class Trunk {
 public:
  Trunk();  // one waiting unit: the whole search
  ~Trunk();
  Trunk(Trunk&&) noexcept;
  Trunk& operator=(Trunk&&) noexcept;

  bool finished() const;
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t given() const { return given_.size(); }
  bool holds(UnitId id) const { return given_.contains(id); }

  // The waiting unit nearest the root that can be given out now.
  std::optional<std::pair<UnitId, Unit>> give();
  void take_back(UnitId id);  // its worker is lost: it waits again. REQUIRES holds(id)

  // What a unit's worker says. REQUIRES holds(report.id). False: it makes no sense.
  bool apply(const Report& report);

  std::uint32_t depth_of(UnitId id) const;  // of the branch that leads to the unit
  std::uint64_t size() const { return branches_; }

  // As a tree of plain values, units that are given out as waiting.
  struct Saved;
  Saved save() const;
  static std::optional<Trunk> restore(const Saved& saved);

 private:
  struct State;
  struct Branch;
  class Word;
  using Steps = std::vector<Transition>;

  Branch* find(UnitId id) const;
  void wait(Branch& branch);
  static bool may_be_given(const Branch& branch);
  static std::vector<Branch*> sleepers(const State& state);
  Unit unit_of(const Branch& branch) const;

  bool settle_path(Branch*& branch, const Steps& path, std::vector<Steps>& voided);
  void collect_plans(Branch& below, Steps& word, std::vector<Steps>& words);
  bool reverse(Branch& unit, const Reversal& reversal);
  void insert(Branch& via, bool next, const std::vector<Reversal::Step>& steps);
  bool insert_branches(State& state, std::size_t at, const Reversal& reversal);
  bool cut(Branch& unit, const Cut& cut);
  void finish(Branch& branch);

  Branch& add(State& state, std::size_t at, const Transition& t);
  void add_plan(State& state, std::size_t at, const Plan& plan);
  void add_chain(State& state, std::size_t at, const Steps& steps, std::size_t from);
  void open(Branch& branch);
  void reopen(State& state);
  void complete(Branch* branch);

  std::unique_ptr<Branch> root_;  // leads to the initial state
  std::set<std::pair<std::uint32_t, UnitId>> waiting_;  // depth, name
  std::map<UnitId, Branch*> by_id_;                     // waiting and given
  std::set<UnitId> given_;
  UnitId next_id_ = 1;
  std::uint64_t branches_ = 0;
};

struct Trunk::Saved {
  enum class Kind : std::uint8_t { Finished, Owed, Open };
  Kind kind = Kind::Owed;
  Transition transition;
  bool leaf = true, seen = false, known = false;
  std::vector<Saved> branches;  // Open
  struct Covered {              // see Branch::covers: the branch it came through, by levels up and place among its siblings
    std::uint32_t up = 0, place = 0;
    std::vector<Reversal::Step> steps;
  };
  std::vector<Covered> covers;
};

template <class Archive> void describe(Archive& a, Trunk::Saved::Covered& c) { a(c.up)(c.place)(c.steps); }

template <class Archive> void describe(Archive& a, Trunk::Saved& s) { a(s.kind)(s.transition)(s.leaf)(s.seen)(s.known)(s.branches)(s.covers); }

}  // namespace heddle

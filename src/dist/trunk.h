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
//
// Alternatives of one step stand side by side, so that all of them sleep or none does. One that is told of late may thus come in front of branches that lead through it
// already. Those of them that wait are dropped, unless a first run did that (trunk_repetitions.cpp); where one has been explored, its executions are made twice, which is counted (seen in programs that choose data and fail
// while the search goes on: fewer than one execution in a hundred, in one division of several thousand).
//
// Some algorithms have no sleep sets. Then nobody sleeps here either: the order of branches means nothing, and nothing counts as explored twice.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dist/frontier.h"

namespace heddle {

class Trunk final : public Frontier {
 public:
  enum class Sleep : bool { No, Yes };  // has the algorithm sleep sets?

  explicit Trunk(Sleep sleep = Sleep::Yes);  // one waiting unit: the whole search
  ~Trunk() override;
  Trunk(Trunk&&) noexcept;
  Trunk& operator=(Trunk&&) noexcept;
  static std::optional<Trunk> restore(const Bytes& saved, Sleep sleep = Sleep::Yes);  // nothing: it makes no sense

  bool finished() const override;
  std::size_t waiting() const override { return waiting_; }
  std::size_t given() const override { return given_; }
  bool holds(UnitId id) const override;

  // The waiting unit nearest the root that can be given out now.
  std::optional<Command> hand_out() override;
  void take_back(UnitId id) override;  // begins again at its last snapshot, if it has one
  bool apply(const Report& report) override;

  std::uint32_t depth_of(UnitId id) const override;  // of the branch that leads to the unit
  bool can_be_cut() const override { return true; }
  double seen(const std::function<double(UnitId)>& within) const override;
  std::uint64_t size() const { return branches_; }
  std::uint64_t made_twice() const override { return made_twice_; }

  Bytes save() const override;

 private:
  struct State;
  struct Branch;
  class Word;
  struct Saved;
  using Steps = std::vector<Transition>;

  Branch* find(UnitId id) const;
  void wait(Branch& branch);
  Branch* obstacle_of(const Branch& branch) const;
  void clear(Branch& obstacle);
  static Branch* repetition_on_the_way(Branch& branch);
  void drop(Branch& unit, Branch& repeated);
  void settle(Branch& unit, std::uint64_t runs);
  static bool is_made_twice(const Branch& unit);
  void look_for_repetitions(const Branch& alternative);
  static std::uint64_t runs_behind(const Branch& branch);
  template <class Sleeper> static void fall_asleep(std::vector<Sleeper*>& asleep, const Branch& taken);
  std::vector<Branch*> sleepers(const State& state) const;
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
  void discard(std::unique_ptr<State> state);

  class Saver;
  bool rebuild(const std::vector<Saved>& entries);

  bool sleeps_;
  std::unique_ptr<Branch> root_;  // leads to the initial state
  std::unordered_map<UnitId, Branch*> by_id_;           // waiting and given
  std::set<std::pair<std::uint32_t, UnitId>> ready_;    // depth and name of those that wait, and not behind an obstacle, as far as is known
  std::size_t waiting_ = 0, given_ = 0;
  bool may_repeat_ = false;  // there are alternatives, or have been before it was restored: only they are inserted in front of others
  UnitId next_id_ = 1;
  std::uint64_t branches_ = 0, made_twice_ = 0;
};

}  // namespace heddle

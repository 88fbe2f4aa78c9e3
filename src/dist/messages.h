// What balancer and workers say to each other. Plain values; one message is applied whole or not at all.
//
// A unit is held by a worker from the Explore that gives it until a Report says that it is finished, or the worker is lost. All that a
// Report says of a unit is true whether or not the worker lives to finish it: reversals come from runs that were made, and what is
// `settled` lies outside of what would have to be explored again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/archive.h"
#include "explore/outcome.h"
#include "explore/reduction/unit.h"

namespace heddle {

inline constexpr std::uint32_t kDistVersion = 1;  // of the messages and of checkpoints

using UnitId = std::uint64_t;

// Work that was done. Numbers add up; extremes are kept.
struct Tally {
  std::uint64_t executions = 0, blocked = 0, transitions = 0, replayed = 0;
  std::uint64_t max_depth = 0, threads = 0;
  bool hit_step_limit = false, ignored_race = false;

  void add(const Tally& other) {
    executions += other.executions;
    blocked += other.blocked;
    transitions += other.transitions;
    replayed += other.replayed;
    max_depth = std::max(max_depth, other.max_depth);
    threads = std::max(threads, other.threads);
    hit_step_limit |= other.hit_step_limit;
    ignored_race |= other.ignored_race;
  }
  // The work since `earlier`. Extremes are of all of it.
  Tally since(const Tally& earlier) const {
    Tally t = *this;
    t.executions -= earlier.executions;
    t.blocked -= earlier.blocked;
    t.transitions -= earlier.transitions;
    t.replayed -= earlier.replayed;
    return t;
  }
};

// A run that shows something wrong. The balancer runs it again.
struct Suspect {
  std::vector<Choice> choices;
  std::string signature;
};

// From the balancer.
struct Command {
  enum class Kind : std::uint8_t {
    Explore,   // `unit`, called `id`
    Unload,    // give away work, as soon as there are more than `threshold` branches owed
    Stop,
  };
  Kind kind = Kind::Stop;
  UnitId id = 0;
  Unit unit;
  std::uint32_t threshold = 0;
};

// From a worker, about one unit (or none: id 0).
struct Report {
  UnitId id = 0;
  std::vector<Transition> path;      // after the first run: its steps from unit.fresh to the floor; fewer if one ended the run
  std::vector<Reversal> reversals;
  std::optional<Cut> cut;
  bool finished = false;
  Tally settled;                     // adds to what earlier reports settled
  Tally unsettled;                   // of the unit, so far

  std::vector<Suspect> suspects;
  std::vector<std::string> notes;
  std::optional<Error> error;        // the worker cannot go on
};

template <class Archive> void describe(Archive& a, wire::OpView& v) {
  a(v.thread)(v.op)(v.outcome)(v.size)(v.object)(v.argument)(v.alternative);
}
template <class Archive> void describe(Archive& a, Choice& c) { a(c.thread)(c.alternative); }
template <class Archive> void describe(Archive& a, Transition& t) { a(t.operation)(t.choice)(t.fatal); }
template <class Archive> void describe(Archive& a, Plan& p) { a(p.transition)(p.below); }
template <class Archive> void describe(Archive& a, Fork& f) { a(f.depth)(f.earlier)(f.later); }
template <class Archive> void describe(Archive& a, Unit& u) { a(u.prefix)(u.branch)(u.sleep)(u.forks)(u.fresh); }
template <class Archive> void describe(Archive& a, Reversal::Step& s) { a(s.transition)(s.needed)(s.after); }
template <class Archive> void describe(Archive& a, Reversal& r) { a(r.depth)(r.kind)(r.next)(r.steps); }
template <class Archive> void describe(Archive& a, Cut::State& s) { a(s.done)(s.taken)(s.owed); }
template <class Archive> void describe(Archive& a, Cut& c) { a(c.states)(c.rest); }
template <class Archive> void describe(Archive& a, Tally& t) {
  a(t.executions)(t.blocked)(t.transitions)(t.replayed)(t.max_depth)(t.threads)(t.hit_step_limit)(t.ignored_race);
}
template <class Archive> void describe(Archive& a, Suspect& s) { a(s.choices)(s.signature); }
template <class Archive> void describe(Archive& a, Error& e) { a(e.what)(e.next)(e.code); }
template <class Archive> void describe(Archive& a, Command& c) {
  a(c.kind)(c.id)(c.unit)(c.threshold);
}
template <class Archive> void describe(Archive& a, Report& r) {
  a(r.id)(r.path)(r.reversals)(r.cut)(r.finished)(r.settled)(r.unsettled);
  a(r.suspects)(r.notes)(r.error);
}

}  // namespace heddle

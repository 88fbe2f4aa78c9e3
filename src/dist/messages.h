// What balancer and workers say to each other. Plain values; one message is applied whole or not at all.
//
// A unit is held by a worker from the command that gives it until a Report says that it is finished, or the worker is lost. All that a
// Report says of a unit is true whether or not the worker lives to finish it: reversals come from runs that were made, and what is
// `settled` lies outside of what would have to be explored again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/archive.h"
#include "explore/outcome.h"
#include "explore/reduction/sampled_runs.h"
#include "explore/reduction/unit.h"
#include "explore/tally.h"
#include "explore/terms.h"
#include "model/order_pairs.h"
#include "model/uncovered.h"

namespace heddle {

using UnitId = std::uint64_t;

// A part of a sampling search: its runs number first, first + 1, ….
struct Slice {
  std::uint64_t first = 0, count = 0;
  std::uint32_t horizon = 0;  // Sampling::begin_at
};

// A run that shows something wrong. The balancer runs it again.
struct Suspect {
  std::vector<Choice> choices;
  std::string signature;
  std::uint32_t timeouts = 0;  // as in the Request: the terms may be others when it is run again
};

// From the balancer.
struct Command {
  enum class Kind : std::uint8_t {
    Explore,   // `unit` or `slice`, called `id`; whatever the worker had before is no longer its business. Perhaps `unload`, as if asked right after it
    Unload,    // give away work, as soon as there are more than `threshold` branches owed and the unit promises `least_us` of work
    Save,      // say where you are, so that somebody else could go on from there
    Drop,      // forget the unit
    Stop,
  };
  Kind kind = Kind::Stop;
  UnitId id = 0;
  std::uint64_t order = 0;                // Explore: told again in every Report about it
  Unit unit;
  Slice slice;                            // of a sampling search, which has no units
  Terms terms;                            // Explore: of the whole search, as they are now
  std::vector<wire::ThreadName> threads;  // Explore: who has which number
  bool unload = false;
  std::uint32_t threshold = 0;
  std::uint32_t least_us = 0;
};

// From a worker, about one unit (or none: id 0).
struct Report {
  UnitId id = 0;
  std::uint64_t order = 0;
  std::vector<wire::ThreadName> threads;  // all of them, if there are new ones
  std::vector<Transition> path;      // after the first run: its steps from unit.fresh to the floor; fewer if one ended the run
  std::vector<Reversal> reversals;
  std::optional<Cut> cut;
  bool finished = false;
  Tally settled;                     // adds to what earlier reports settled
  Tally unsettled;                   // of the unit, so far
  double seen = 0;                   // an estimate: how much of the unit
  std::optional<SampledRuns> sampled;  // of a slice, when it is finished

  bool saved = false;                // the answer to Save:
  std::optional<Cut> snapshot;       // as if the unit had been cut wherever it owed something
  Tally kept;                        // would be settled then

  std::vector<HiddenPart> hidden;  // that the terms have to have
  std::vector<Suspect> suspects;
  std::vector<std::string> notes;
  std::vector<UncoveredNote> uncovered;  // all of them, if there are new ones; so are these:
  std::vector<OrderPair> order_pairs;
  std::optional<Error> error;        // the worker cannot go on
};

template <class Archive> void describe(Archive& a, wire::OpView& v) {
  a(v.thread)(v.op)(v.outcome)(v.size)(v.object)(v.argument)(v.alternative);
}
template <class Archive> void describe(Archive& a, wire::ThreadName& n) { a(n.parent)(n.child); }
template <class Archive> void describe(Archive& a, Choice& c) { a(c.thread)(c.alternative); }
template <class Archive> void describe(Archive& a, Transition& t) { a(t.operation)(t.choice)(t.fatal); }
template <class Archive> void describe(Archive& a, Plan& p) { a(p.transition)(p.below); }
template <class Archive> void describe(Archive& a, Fork& f) { a(f.depth)(f.earlier)(f.later); }
template <class Archive> void describe(Archive& a, Unit& u) { a(u.prefix)(u.branch)(u.sleep)(u.forks)(u.fresh); }
template <class Archive> void describe(Archive& a, Slice& s) { a(s.first)(s.count)(s.horizon); }
template <class Archive> void describe(Archive& a, SampledRuns& s) {
  a(s.sampler)(s.runs)(s.threads)(s.steps)(s.depth)(s.covering)(s.chose_data);
}
template <class Archive> void describe(Archive& a, Reversal::Step& s) { a(s.transition)(s.needed)(s.after); }
template <class Archive> void describe(Archive& a, Reversal& r) { a(r.depth)(r.kind)(r.next)(r.steps); }
template <class Archive> void describe(Archive& a, Cut::State& s) { a(s.done)(s.taken)(s.owed); }
template <class Archive> void describe(Archive& a, Cut& c) { a(c.states)(c.rest); }
template <class Archive> void describe(Archive& a, Tally& t) {
  a(t.executions)(t.blocked)(t.transitions)(t.replayed)(t.unused)(t.max_depth)(t.threads)(t.hit_step_limit)(t.timeouts_spent)(t.ignored_race);
  a(t.most_timeouts)(t.most_timeouts_when_cut)(t.left_out_for_preemptions)(t.unordered)(t.accessed)(t.shared);
}
template <class Archive> void describe(Archive& a, HiddenPart& p) { a(p.address)(p.size); }
template <class Archive> void describe(Archive& a, Terms& t) { a(t.timeouts)(t.preemptions)(t.hidden)(t.cut_runs); }
template <class Archive> void describe(Archive& a, Suspect& s) { a(s.choices)(s.signature)(s.timeouts); }
template <class Archive> void describe(Archive& a, UncoveredNote& n) { a(n.kind)(n.pc)(n.function)(n.reason); }
template <class Archive> void describe(Archive& a, AtomicAccess& x) { a(x.pc)(x.location)(x.size)(x.op)(x.order); }
template <class Archive> void describe(Archive& a, OrderPair& p) { a(p.first)(p.second)(p.kind); }
template <class Archive> void describe(Archive& a, Error& e) { a(e.what)(e.next)(e.code); }
template <class Archive> void describe(Archive& a, Command& c) {
  a(c.kind)(c.id)(c.order)(c.unit)(c.slice)(c.terms)(c.threads)(c.unload)(c.threshold)(c.least_us);
}
template <class Archive> void describe(Archive& a, Report& r) {
  a(r.id)(r.order)(r.threads)(r.path)(r.reversals)(r.cut)(r.finished)(r.settled)(r.unsettled)(r.seen)(r.sampled);
  a(r.saved)(r.snapshot)(r.kept);
  a(r.hidden)(r.suspects)(r.notes)(r.uncovered)(r.order_pairs)(r.error);
}

}  // namespace heddle

#include "stateful_agreement.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "detect/finding.h"
#include "explore/reduction/de_spor.h"
#include "explore/reduction/dl_spor.h"
#include "explore/reduction/o_dpor.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/reference/state_space.h"
#include "explore/reduction/sdpor.h"
#include "explore/reduction/spor.h"
#include "explore/reduction/stateful_dfs.h"
#include "explore/tally.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

using Make = std::function<std::unique_ptr<Reduction>(StatefulOptions)>;
struct Variant {
  std::string name;
  Make make;
  StatefulOptions options;
  std::uint64_t most_states = ~0ULL;  // that the table can hold
  std::uint64_t largest = ~0ULL;      // program, in states
};

constexpr std::uint64_t kHard = 12;  // states of a program for a variant that takes exponential time

// Each algorithm in every order, with a table that is full soon, and so on.
class Variants {
 public:
  explicit Variants(std::uint64_t seed) : seed_(seed) {
    of("dfs", [](StatefulOptions o) { return std::make_unique<StatefulDfs>(o); });
    of("spor", [](StatefulOptions o) { return std::make_unique<Spor>(o); });
    of("dl-spor", [](StatefulOptions o) { return std::make_unique<DlSpor>(o); });
    of("de-spor", [](StatefulOptions o) { return std::make_unique<DeSpor>(o); });
    of("o-dpor", [](StatefulOptions o) { return std::make_unique<ODpor>(o); });
    of("sdpor", [](StatefulOptions o) { return std::make_unique<Sdpor>(o); });
    switches();
  }

  std::vector<Variant> all;

 private:
  void of(const char* name, const Make& make) {
    StatefulOptions options;
    all.push_back({name, make, options});
    all.push_back({fmt::format("{}, table for 3 states", name), make, options, 3, kHard});
    options.order.visited_first = true;
    all.push_back({fmt::format("{}, visited first", name), make, options});
    all.push_back({fmt::format("{}, visited first, table for 4 states", name), make, options, 4, kHard});
    options.order.visited_first = false;
    options.livelocks = Livelocks::Certain;
    all.push_back({fmt::format("{}, certain livelocks, table for 2 states", name), make, options, 2, kHard});
    options.order.kind = ExplorationOrder::Kind::Random;
    options.order.seed = seed_;
    all.push_back({fmt::format("{}, random order, certain livelocks", name), make, options});
    options.order.kind = ExplorationOrder::Kind::Sequential;
    options.order.threads = {2, 1, 0};
    all.push_back({fmt::format("{}, last thread first, certain livelocks", name), make, options});
  }

  // 001, app. A.
  void switches() {
    const std::pair<const char*, WalkOptions> walks[] = {{"once", {.each_transition_once = false}}, {"last", {.skip_last = false}},
                                                         {"complete", {.stop_when_complete = false}}, {"disabled", {.stop_at_disabled = false}}};
    for (const auto& [name, walk] : walks)
      all.push_back({fmt::format("dl-spor without {}", name), [walk](StatefulOptions o) { return std::make_unique<DlSpor>(o, walk); }, {}, ~0ULL,
                     walk.each_transition_once ? ~0ULL : kHard});
    without_safe_sets("dl-spor", [](StatefulOptions o) { return std::make_unique<DlSpor>(o, WalkOptions{}, false); });
    without_safe_sets("de-spor", [](StatefulOptions o) { return std::make_unique<DeSpor>(o, false); });
  }

  // 001, sec. 5: DL-JPF and DE-JPF.
  void without_safe_sets(const char* name, const Make& make) {
    StatefulOptions options;
    all.push_back({fmt::format("{} without safe sets", name), make, options});
    options.livelocks = Livelocks::Certain;
    options.order.kind = ExplorationOrder::Kind::Random;
    options.order.seed = seed_;
    all.push_back({fmt::format("{} without safe sets, random order, certain livelocks", name), make, options});
  }

  const std::uint64_t seed_;
};

struct Seen {
  reference::Observations of;
  bool livelock = false;
  bool may_miss_race = false;  // as the tool would say
  std::uint64_t states = 0, transitions = 0;
};

std::optional<Seen> search(Program& program, Reduction& reduction, std::uint64_t limit) {
  Seen seen;
  for (std::uint64_t runs = 0; std::optional<Request> request = reduction.next(); ++runs) {
    if (runs > limit) return std::nullopt;
    if (request->forget_visited) program.forget_states();
    const bool is_bounded = request->max_steps > 0;
    const Trace trace = program.run(*request).value();
    HEDDLE_CHECK(trace.end != wire::End::Diverged, "a reduction asked for what is not possible");
    HEDDLE_CHECK(trace.end != wire::End::StepLimit || is_bounded, "a run does not end");
    seen.of.add_ends(trace);
    seen.may_miss_race |= exchanges_beside_plain(trace.events);
    const std::vector<Finding> findings = detect(trace);
    seen.livelock |= std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.lap > 0; });
    if (request->capture == Capture::UntilVisited) {
      seen.states += trace.states.size() - (trace.end == wire::End::Revisited);
      seen.transitions += trace.events.size() - request->prefix.size() + !request->prefix.empty();
    }
    reduction.learn(*request, trace);
  }
  return seen;
}

std::string missing(const char* what, const std::set<std::string>& mine, const std::set<std::string>& theirs) {
  std::string text;
  for (const std::string& s : theirs)
    if (!mine.contains(s)) text += fmt::format("missing {} {}\n", what, s);
  return text;
}
std::string difference(const char* what, const std::set<std::string>& mine, const std::set<std::string>& theirs) {
  std::string text = missing(what, mine, theirs);
  for (const std::string& s : mine)
    if (!theirs.contains(s)) text += fmt::format("invented {} {}\n", what, s);
  return text;
}

bool has_exit(const scripted::Script& script) {
  for (const scripted::ThreadScript& t : script.threads)
    for (const scripted::Instruction& i : t.code)
      if (i.code == scripted::Code::Exit) return true;
  return false;
}

std::string judge(const Variant& variant, const reference::StateSpace& all, const reference::Observations* runs,
                  const scripted::Script& script) {
  if (all.states > variant.largest) return {};
  scripted::ScriptedProgram program(script, {.most_states = variant.most_states});
  const auto reduction = variant.make(variant.options);
  const bool forgets = variant.most_states != ~0ULL;
  const auto seen = search(program, *reduction, forgets ? 5'000 : 1000 + 40 * all.transitions);
  if (!seen && forgets) return {};  // takes its time
  if (!seen) return fmt::format("{}:\ndoes not end\n", variant.name);
  std::string text = difference("deadlock", seen->of.deadlocks, all.deadlocks) + difference("failure", seen->of.failures, all.failures) +
                     difference("final state", seen->of.final_states, all.final_states) + missing("race", seen->of.races, all.neighbours);
  const bool livelock = variant.options.livelocks == Livelocks::Certain ? all.certain_livelock : all.livelock;
  if (seen->livelock != livelock) text += livelock ? "missing livelock\n" : "invented livelock\n";
  if (runs && seen->of.races.empty() && !runs->races.empty() && !seen->may_miss_race) text += "all races missed that some run shows\n";
  if (variant.name == "dfs" && !has_exit(script) && all.failures.empty() && (seen->states != all.states || seen->transitions != all.transitions))
    text += fmt::format("{} states and {} transitions instead of {} and {}\n", seen->states, seen->transitions, all.states, all.transitions);
  return text.empty() ? text : fmt::format("{}:\n{}", variant.name, text);
}

}  // namespace

Agreement compare_stateful(const scripted::Script& script, std::uint64_t limit, std::uint64_t seed) {
  const auto all = reference::enumerate_states(script, limit);
  if (!all) return {Judgement::TooBig, {}, 0, 0};
  scripted::ScriptedProgram program(script);
  const auto runs = all->cyclic ? std::nullopt : reference::enumerate(program, 500);
  Agreement a{Judgement::Agree, {}, all->transitions, all->states};
  for (const Variant& variant : Variants(seed).all) a.text += judge(variant, *all, runs ? &*runs : nullptr, script);
  if (!a.text.empty()) a.judgement = Judgement::Disagree;
  return a;
}

Agreement compare_stateful_isolated(const scripted::Script& script, std::uint64_t limit, std::uint64_t seed) {
  return isolated([&] { return compare_stateful(script, limit, seed); });
}

}  // namespace heddle::generated

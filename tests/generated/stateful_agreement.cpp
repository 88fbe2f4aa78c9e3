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
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

using Make = std::function<std::unique_ptr<Reduction>(StatefulOptions)>;
struct Variant {
  std::string name;
  Make make;
  StatefulOptions options;
  std::uint64_t most_states = ~0ULL;  // that the table can hold
  std::uint64_t largest = ~0ULL;      // of a program, in states: this variant takes exponential time
};

std::vector<Variant> make_variants() {
  std::vector<Variant> variants;
  auto with_orders = [&](const char* name, const Make& make) {
    StatefulOptions options;
    variants.push_back({name, make, options});
    options.order.kind = ExplorationOrder::Kind::Random;
    variants.push_back({fmt::format("{}, random order", name), make, options});
    options.order.kind = ExplorationOrder::Kind::Sequential;
    options.order.threads = {2, 1, 0};
    variants.push_back({fmt::format("{}, last thread first", name), make, options});
  };
  with_orders("dfs", [](StatefulOptions o) { return std::make_unique<StatefulDfs>(o); });
  with_orders("spor", [](StatefulOptions o) { return std::make_unique<Spor>(o); });
  with_orders("dl-spor", [](StatefulOptions o) { return std::make_unique<DlSpor>(o); });
  with_orders("de-spor", [](StatefulOptions o) { return std::make_unique<DeSpor>(o); });
  with_orders("o-dpor", [](StatefulOptions o) { return std::make_unique<ODpor>(o); });
  with_orders("sdpor", [](StatefulOptions o) { return std::make_unique<Sdpor>(o); });
  const std::pair<const char*, WalkOptions> walks[] = {{"once", {.each_transition_once = false}}, {"last", {.skip_last = false}},
                                                       {"complete", {.stop_when_complete = false}}, {"disabled", {.stop_at_disabled = false}}};
  for (const auto& [name, walk] : walks)
    variants.push_back({fmt::format("dl-spor without {}", name), [walk](StatefulOptions o) { return std::make_unique<DlSpor>(o, walk); }, {}, ~0ULL,
                        walk.each_transition_once ? ~0ULL : 12});
  StatefulOptions visited_first;
  visited_first.order.visited_first = true;
  variants.push_back({"dl-spor, visited first", [](StatefulOptions o) { return std::make_unique<DlSpor>(o); }, visited_first});
  variants.push_back({"de-spor, visited first", [](StatefulOptions o) { return std::make_unique<DeSpor>(o); }, visited_first});
  return variants;
}

struct Seen {
  reference::Observations of;
  bool livelock = false;
  std::uint64_t states = 0, transitions = 0;
};

std::optional<Seen> search(Program& program, Reduction& reduction, std::uint64_t limit) {
  Seen seen;
  for (std::uint64_t runs = 0; std::optional<Request> request = reduction.next(); ++runs) {
    if (runs > limit) return std::nullopt;
    if (request->forget_visited) program.forget_states();
    const Trace trace = program.run(*request).value();
    HEDDLE_CHECK(trace.end != wire::End::Diverged, "a reduction asked for what is not possible");
    HEDDLE_CHECK(trace.end != wire::End::StepLimit || request->max_steps > 0, "a run does not end");
    seen.of.add_ends(trace);
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
  const auto seen = search(program, *reduction, 1000 + 40 * all.transitions);
  if (!seen) return fmt::format("{}:\ndoes not end\n", variant.name);
  std::string text = difference("deadlock", seen->of.deadlocks, all.deadlocks) + difference("failure", seen->of.failures, all.failures) +
                     difference("final state", seen->of.final_states, all.final_states) + missing("race", seen->of.races, all.neighbours);
  if (seen->livelock != all.livelock) text += all.livelock ? "missing livelock\n" : "invented livelock\n";
  if (runs && seen->of.races.empty() && !runs->races.empty()) text += "all races missed that some run shows\n";
  if (variant.name == "dfs" && !has_exit(script) && all.failures.empty() && (seen->states != all.states || seen->transitions != all.transitions))
    text += fmt::format("{} states and {} transitions instead of {} and {}\n", seen->states, seen->transitions, all.states, all.transitions);
  return text.empty() ? text : fmt::format("{}:\n{}", variant.name, text);
}

}  // namespace

Agreement compare_stateful(const scripted::Script& script, std::uint64_t limit) {
  static const std::vector<Variant> kVariants = make_variants();
  const auto all = reference::enumerate_states(script, limit);
  if (!all) return {Judgement::TooBig, {}, 0, 0};
  scripted::ScriptedProgram program(script);
  const auto runs = all->cyclic ? std::nullopt : reference::enumerate(program, 500);
  Agreement a{Judgement::Agree, {}, all->transitions, all->states};
  for (const Variant& variant : kVariants) a.text += judge(variant, *all, runs ? &*runs : nullptr, script);
  if (!a.text.empty()) a.judgement = Judgement::Disagree;
  return a;
}

Agreement compare_stateful_isolated(const scripted::Script& script, std::uint64_t limit) { return isolated([&] { return compare_stateful(script, limit); }); }

}  // namespace heddle::generated

#include "every_way.h"

#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "target/process_program.h"
#include "target/scripted/machine.h"
#include "walk.h"

namespace heddle::states {
namespace {

using scripted::Machine;

// --- the script ------------------------------------------------------------------------------------------------------

struct Move {
  Choice choice;
  std::size_t to;  // kFails: a step that ends the run
};
constexpr std::size_t kFails = ~std::size_t{0};

struct State {
  std::string seen;  // what anybody can see of it now: memory, and who is about to do what
  std::vector<Move> moves;
};

std::string what_is_seen(const Machine& machine) {
  const std::string all = machine.final_state();
  std::string text = all.substr(0, all.find('|'));  // behind it there are registers
  for (int t = 0; t < machine.threads(); ++t) {
    if (!machine.live(t)) continue;
    const Pending p = machine.pending(t);
    text += fmt::format("|{} {} {:x} {:x} {}", t, static_cast<int>(p.op), p.object, p.pc, p.argument);
  }
  return text;
}

// Every state of the script by its number, as its machine tells them apart.
class Space {
 public:
  explicit Space(const scripted::Script& script) {
    Machine initial(script, false);
    initial.reset();
    number(initial);
  }

  const std::vector<State>& states() const { return states_; }

 private:
  std::size_t number(const Machine& machine) {
    const auto [it, is_new] = numbers_.emplace(machine.state(), states_.size());
    const std::size_t n = it->second;
    if (!is_new) return n;
    states_.push_back({what_is_seen(machine), {}});
    for (int t = 0; t < machine.threads(); ++t) {
      if (!machine.live(t)) continue;
      const AlternativeSet alternatives = machine.alternatives(t);
      for (int a = alternatives.next(); a >= 0; a = alternatives.next(a + 1)) {
        Machine then = machine;
        Event event;
        then.perform(t, a, event);
        const std::size_t to = then.stopped() ? kFails : number(then);
        states_[n].moves.push_back({{static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(a)}, to});
      }
    }
    return n;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<State> states_;
};

// State → class: two states are in one if the same can be seen in them, now and after whatever is done in both. By refinement: apart is what can be seen to
// differ, then what leads to states that are apart.
std::vector<std::size_t> classes_of(const std::vector<State>& states) {
  std::vector<std::size_t> classes(states.size(), 0);
  for (std::size_t count = 0;;) {
    std::map<std::pair<std::string, std::vector<std::size_t>>, std::size_t> known;
    std::vector<std::size_t> next;
    for (const State& s : states) {
      std::vector<std::size_t> future;
      for (const Move& m : s.moves) {
        future.push_back(m.choice.thread);
        future.push_back(m.choice.alternative);
        future.push_back(m.to == kFails ? kFails : classes[m.to]);
      }
      next.push_back(known.try_emplace({s.seen, future}, known.size()).first->second);
    }
    classes = std::move(next);
    if (known.size() == count) return classes;
    count = known.size();
  }
}

// Threads have the numbers of the twin's, where main is the first: alternatives name threads, too.
scripted::Script with_main(scripted::Script script) {
  script.threads.insert(script.threads.begin(), scripted::ThreadScript{});
  return script;
}

// --- the twin --------------------------------------------------------------------------------------------------------

class Comparison {
 public:
  Comparison(const scripted::Script& script, ProcessProgram& twin) : space_(with_main(script)), classes_(classes_of(space_.states())), twin_(twin) {}

  EveryWay compare() {
    if (start_threads()) go_on_from(0, {0});
    result_.states = prints_.size();
    for (const auto& [state, prints] : prints_) result_.split += prints.size() > 1;
    return result_;
  }

 private:
  // Main sets up and creates all threads before any of them moves: that is where the script begins.
  bool start_threads() {
    const Result<Trace> trace = twin_.run(Request{});
    if (!trace) return fail(trace.error().what);
    for (const Event& e : trace->events) {
      if (e.thread != 0 || e.op == Op::ThreadJoin) break;
      schedule_.push_back({e.thread, e.alternative});
    }
    begun_ = schedule_.size();
    return true;
  }

  void go_on_from(std::size_t state, std::vector<std::size_t> path) {
    const std::vector<Move>& moves = space_.states()[state].moves;
    if (moves.empty()) return run(path);
    for (const Move& m : moves) {
      if (!result_.error.empty()) return;
      schedule_.push_back(m.choice);
      if (m.to == kFails) {
        run(path);
      } else {
        std::vector<std::size_t> longer = path;
        longer.push_back(m.to);
        go_on_from(m.to, std::move(longer));
      }
      schedule_.pop_back();
    }
  }

  // One interleaving, whose states in the script are `path`.
  void run(const std::vector<std::size_t>& path) {
    Request request;
    request.prefix = schedule_;
    request.capture = Capture::States;
    request.capture_from = static_cast<std::uint32_t>(begun_);
    const Result<Trace> trace = twin_.run(request);
    ++result_.ways;
    if (!trace) return void(fail(trace.error().what));
    if (trace->end == wire::End::Diverged) return void(fail(fmt::format("the twin cannot do what the script does at step {} of {}", trace->events.size() - begun_, schedule_.size() - begun_)));
    if (trace->states.size() < path.size()) return void(fail(fmt::format("{} states where the script has {}", trace->states.size(), path.size())));
    for (std::size_t i = 0; i < path.size(); ++i) note(path[i], key_of(trace->states[i]));
  }

  void note(std::size_t state, const Key& print) {
    ++result_.visits;
    prints_[state].insert(print);
    const auto [it, is_new] = states_.try_emplace(print, state);
    if (is_new || classes_[it->second] == classes_[state] || !result_.lost.empty()) return;
    result_.lost = fmt::format("'{}' and '{}'", space_.states()[it->second].seen, space_.states()[state].seen);
  }

  bool fail(const std::string& what) {
    result_.error = what;
    return false;
  }

  const Space space_;
  const std::vector<std::size_t> classes_;
  ProcessProgram& twin_;
  std::vector<Choice> schedule_;
  std::size_t begun_ = 0;  // so many of its choices are main's
  std::map<std::size_t, std::set<Key>> prints_;
  std::map<Key, std::size_t> states_;
  EveryWay result_;
};

}  // namespace

EveryWay compare_every_way(const scripted::Script& script, const std::string& program, const std::string& argument) {
  WalkOptions options;
  options.mode = wire::StateMode::Verify;
  options.visibility = wire::Visibility::All;
  options.spurious_wakeups = script.spurious_wakeups;
  Result<std::unique_ptr<ProcessProgram>> twin = start_walked(program, {argument}, options);
  if (twin) return Comparison(script, **twin).compare();
  EveryWay none;
  none.error = twin.error().what;
  return none;
}

}  // namespace heddle::states

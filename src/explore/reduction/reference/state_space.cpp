#include "explore/reduction/reference/state_space.h"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "explore/reduction/reference/observed_text.h"
#include "target/scripted/machine.h"

namespace heddle::reference {
namespace {

using scripted::Machine;

struct Edge {
  std::size_t to;
  int thread;
};
struct State {
  bool ends = false;  // a step from it ends the run
  std::set<int> enabled;
  std::vector<Edge> edges;
};
using Graph = std::vector<State>;

// The states of `among` that `from` reaches without leaving `among`.
std::set<std::size_t> reachable(const Graph& graph, const std::set<std::size_t>& among, std::size_t from) {
  std::set<std::size_t> seen;
  std::vector<std::size_t> todo = {from};
  while (!todo.empty()) {
    const std::size_t s = todo.back();
    todo.pop_back();
    for (const Edge& e : graph[s].edges)
      if (among.contains(e.to) && seen.insert(e.to).second) todo.push_back(e.to);
  }
  return seen;
}

// Is there an endless run inside of `among` in which every thread that is possible again and again moves again and again?
// Component by component; where a thread is possible but never moves, a fair run must keep away from the states where it is.
bool has_fair_cycle(const Graph& graph, std::set<std::size_t> among) {
  while (!among.empty()) {
    const std::size_t s = *among.begin();
    std::set<std::size_t> component;
    for (std::size_t t : reachable(graph, among, s))
      if (reachable(graph, among, t).contains(s)) component.insert(t);
    among.erase(s);
    if (component.empty()) continue;
    std::set<int> moving, possible;
    for (std::size_t t : component) {
      among.erase(t);
      possible.insert(graph[t].enabled.begin(), graph[t].enabled.end());
      for (const Edge& e : graph[t].edges)
        if (component.contains(e.to)) moving.insert(e.thread);
    }
    std::set<int> left_out;
    std::set_difference(possible.begin(), possible.end(), moving.begin(), moving.end(), std::inserter(left_out, left_out.end()));
    if (left_out.empty()) return true;
    std::erase_if(component, [&](std::size_t t) {
      return std::any_of(left_out.begin(), left_out.end(), [&](int thread) { return graph[t].enabled.contains(thread); });
    });
    if (has_fair_cycle(graph, component)) return true;
  }
  return false;
}

// Is there a state that something leads on from, for ever and always back to it?
bool has_trap(const Graph& graph, const std::set<std::size_t>& all) {
  return std::any_of(all.begin(), all.end(), [&](std::size_t s) {
    const std::set<std::size_t> behind = reachable(graph, all, s);
    return !behind.empty() && std::all_of(behind.begin(), behind.end(), [&](std::size_t t) {
      return !graph[t].ends && !graph[t].edges.empty() && reachable(graph, all, t).contains(s);
    });
  });
}

// Take away states that nothing leads to until there is none.
bool has_cycle(const Graph& graph) {
  std::vector<std::size_t> entries(graph.size()), todo;
  for (const State& s : graph)
    for (const Edge& e : s.edges) ++entries[e.to];
  for (std::size_t s = 0; s < graph.size(); ++s)
    if (entries[s] == 0) todo.push_back(s);
  for (std::size_t k = 0; k < todo.size(); ++k)
    for (const Edge& e : graph[todo[k]].edges)
      if (--entries[e.to] == 0) todo.push_back(e.to);
  return todo.size() < graph.size();
}

struct Access {
  Address variable, pc;
  bool write, atomic;
};

std::optional<Access> next_access(const Machine& machine, int thread) {
  const Pending p = machine.pending(thread);
  switch (p.op) {
    case Op::Read: return Access{p.object, p.pc, false, false};
    case Op::Write: return Access{p.object, p.pc, true, false};
    case Op::AtomicLoad: return Access{p.object, p.pc, false, true};
    case Op::AtomicStore: case Op::AtomicRmw: return Access{p.object, p.pc, true, true};
    case Op::AtomicCas: {  // it writes if it exchanges
      Machine then = machine;
      Event e;
      then.perform(thread, 0, e);
      return Access{p.object, p.pc, e.outcome == 1, true};
    }
    default: return std::nullopt;
  }
}

bool survives(Machine machine, int thread) {
  Event e;
  machine.perform(thread, 0, e);
  return !machine.stopped();
}

void note_neighbours(const Machine& machine, StateSpace& space) {
  for (int a = 0; a < machine.threads(); ++a)
    for (int b = a + 1; b < machine.threads(); ++b) {
      if (!machine.live(a) || !machine.live(b)) continue;
      const auto x = next_access(machine, a), y = next_access(machine, b);
      if (x && y && x->variable == y->variable && (x->write || y->write) && !(x->atomic && y->atomic) &&
          (survives(machine, a) || survives(machine, b)))
        space.neighbours.insert(race_text(x->variable, x->pc, y->pc));
    }
}

std::string deadlock_of(const Machine& machine) {
  Trace trace;
  for (int t = 0; t < machine.threads(); ++t)
    if (machine.live(t)) trace.pending.push_back(machine.pending(t));
  trace.final_state = machine.final_state();
  return deadlock_text(trace);
}

}  // namespace

std::optional<StateSpace> enumerate_states(const scripted::Script& script, std::uint64_t limit) {
  StateSpace space;
  Graph graph;
  std::map<std::string, std::size_t> numbers;
  std::deque<Machine> todo;  // in the order of their numbers
  auto number = [&](const Machine& machine) {
    const auto [it, is_new] = numbers.emplace(machine.state(), graph.size());
    if (is_new) graph.emplace_back(), todo.push_back(machine);
    return it->second;
  };
  Machine initial(script, false);
  initial.reset();
  if (initial.stopped()) {
    for (const wire::Report& r : initial.reports()) space.failures.insert(failure_text(r));
    return space;
  }
  number(initial);
  for (std::size_t s = 0; !todo.empty(); ++s, todo.pop_front()) {
    if (graph.size() > limit) return std::nullopt;
    const Machine at = todo.front();
    note_neighbours(at, space);
    if (!at.any_live()) space.final_states.insert(at.final_state());
    std::vector<Edge> edges;
    for (int t = 0; t < at.threads(); ++t) {
      if (!at.live(t)) continue;
      const AlternativeSet alternatives = at.alternatives(t);
      if (!alternatives.empty()) graph[s].enabled.insert(t);
      for (int a = alternatives.next(); a >= 0; a = alternatives.next(a + 1)) {
        Machine then = at;
        Event e;
        then.perform(t, a, e);
        ++space.transitions;
        graph[s].ends |= then.stopped() || then.exited();
        if (then.stopped()) space.failures.insert(failure_text(then.reports().back()));
        else if (then.exited()) space.final_states.insert(then.final_state());
        else edges.push_back({number(then), t});
      }
    }
    graph[s].edges = std::move(edges);
    if (at.any_live() && graph[s].enabled.empty()) space.deadlocks.insert(deadlock_of(at));
  }
  space.states = graph.size();
  std::set<std::size_t> all;
  for (std::size_t s = 0; s < graph.size(); ++s) all.insert(s);
  space.cyclic = has_cycle(graph);
  space.livelock = space.cyclic && has_fair_cycle(graph, all);
  space.certain_livelock = space.livelock && has_trap(graph, all);
  return space;
}

}  // namespace heddle::reference

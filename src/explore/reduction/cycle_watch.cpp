#include "explore/reduction/cycle_watch.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

struct Edge {
  std::uint32_t from, to;
  LabelId label;
  Choice choice;
};

// A part of a component: its states by number within the component, and the transitions among them.
class Part {
 public:
  Part(std::size_t states, std::vector<Edge> edges) : edges_(std::move(edges)), out_(states) {
    for (std::uint32_t i = 0; i < edges_.size(); ++i) out_[edges_[i].from].push_back(i);
  }

  // Strongly connected components among `inside`, as numbers per state; Tarjan, without recursion.
  std::vector<std::uint32_t> components(const std::vector<bool>& inside, std::uint32_t& count) const;
  // The shortest way over transitions within `component` from `from` to a state or transition that is `wanted`.
  template <class Wanted>
  std::vector<std::uint32_t> way(std::uint32_t from, const std::vector<bool>& inside, Wanted wanted) const;

  const std::vector<Edge>& edges() const { return edges_; }
  std::size_t states() const { return out_.size(); }

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> out_;
};

std::vector<std::uint32_t> Part::components(const std::vector<bool>& inside, std::uint32_t& count) const {
  constexpr std::uint32_t kNew = ~0u;
  std::vector<std::uint32_t> component(states(), kNew), number(states(), kNew), low(states()), stack, path, at(states());
  std::uint32_t next = 0;
  count = 0;
  auto enter = [&](std::uint32_t s) {
    number[s] = low[s] = next++;
    at[s] = 0;
    stack.push_back(s);
    path.push_back(s);
  };
  for (std::uint32_t root = 0; root < states(); ++root) {
    if (!inside[root] || number[root] != kNew) continue;
    enter(root);
    while (!path.empty()) {
      const std::uint32_t s = path.back();
      if (at[s] < out_[s].size()) {
        const std::uint32_t to = edges_[out_[s][at[s]++]].to;
        if (!inside[to]) continue;
        if (number[to] == kNew) enter(to);
        else if (component[to] == kNew) low[s] = std::min(low[s], number[to]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[s]);
      if (low[s] != number[s]) continue;
      for (std::uint32_t t = kNew; t != s; stack.pop_back()) component[t = stack.back()] = count;
      ++count;
    }
  }
  return component;
}

template <class Wanted>
std::vector<std::uint32_t> Part::way(std::uint32_t from, const std::vector<bool>& inside, Wanted wanted) const {
  std::vector<std::uint32_t> reached_by(states(), ~0u), todo = {from};
  std::vector<bool> seen(states());
  seen[from] = true;
  for (std::size_t k = 0; k < todo.size(); ++k) {
    for (std::uint32_t e : out_[todo[k]]) {
      if (!inside[edges_[e].to]) continue;
      if (wanted(edges_[e])) {
        std::vector<std::uint32_t> way = {e};
        for (std::uint32_t s = edges_[e].from; s != from; s = edges_[reached_by[s]].from) way.push_back(reached_by[s]);
        std::reverse(way.begin(), way.end());
        return way;
      }
      if (seen[edges_[e].to]) continue;
      seen[edges_[e].to] = true;
      reached_by[edges_[e].to] = e;
      todo.push_back(edges_[e].to);
    }
  }
  return {};
}

ThreadSet without(ThreadSet a, const ThreadSet& b) {
  for (int w = 0; w < 2; ++w) a.word[w] &= ~b.word[w];
  return a;
}
void join(ThreadSet& a, const ThreadSet& b) {
  for (int w = 0; w < 2; ++w) a.word[w] |= b.word[w];
}

// Takes states out of `inside` until what is left of some component is fair.
bool refine(const Part& part, const std::vector<ThreadSet>& enabled, std::vector<bool>& inside, StopPoll& poll) {
  for (bool changed = true; changed;) {
    poll.ask(10 * (part.states() + part.edges().size()));
    changed = false;
    std::uint32_t count = 0;
    const std::vector<std::uint32_t> component = part.components(inside, count);
    std::vector<ThreadSet> possible(count), moving(count);
    for (std::uint32_t s = 0; s < part.states(); ++s)
      if (inside[s]) join(possible[component[s]], enabled[s]);
    for (const Edge& e : part.edges())
      if (inside[e.from] && inside[e.to] && component[e.from] == component[e.to]) moving[component[e.from]].add(e.choice.thread);
    for (std::uint32_t c = 0; c < count; ++c) {
      if (moving[c].empty() || !without(possible[c], moving[c]).empty()) continue;
      for (std::uint32_t s = 0; s < part.states(); ++s) inside[s] = inside[s] && component[s] == c;
      return true;
    }
    for (std::uint32_t s = 0; s < part.states(); ++s) {
      if (!inside[s]) continue;
      const std::uint32_t c = component[s];
      ThreadSet left_out = without(possible[c], moving[c]);
      for (int w = 0; w < 2; ++w) left_out.word[w] &= enabled[s].word[w];
      if (moving[c].empty() || !left_out.empty()) inside[s] = false, changed = true;
    }
  }
  return false;
}

}  // namespace

CycleWatch::Number CycleWatch::open(wire::Fingerprint state, const ThreadSet& enabled) {
  const auto number = static_cast<Number>(open_.size());
  open_.push_back({state, enabled, static_cast<std::uint32_t>(transitions_.size())});
  roots_.push_back(number);
  numbers_.emplace(state, number);
  return number;
}

std::optional<CycleWatch::Number> CycleWatch::find(wire::Fingerprint state) const {
  const auto it = numbers_.find(state);
  return it == numbers_.end() ? std::nullopt : std::optional(it->second);
}

void CycleWatch::connect(Number from, Choice choice, LabelId label, Number to) {
  transitions_.push_back({from, to, label, choice});
  if (to > from) return;  // a step forward
  while (roots_.back() > to) roots_.pop_back();
  if (to == from) open_[to].repeats = true;
}

// States that are not roots belong to the component of the root before them.
bool CycleWatch::is_in_cycle(Number state) const {
  auto is_root = [&](Number s) { return std::binary_search(roots_.begin(), roots_.end(), s); };
  return open_[state].repeats || !is_root(state) || (state + 1 < open_.size() && !is_root(state + 1));
}

std::optional<CycleWatch::Endless> CycleWatch::close(Number state, StopPoll& poll) {
  if (roots_.back() != state) return std::nullopt;
  std::optional<Endless> endless;
  if (is_in_cycle(state)) endless = fair_cycle(state, poll);
  for (std::size_t s = state; s < open_.size(); ++s) numbers_.erase(open_[s].state);
  // The transition into `state` is forgotten too: nothing leads back from here.
  if (open_[state].transitions < transitions_.size()) leads_out_before(state);
  transitions_.resize(open_[state].transitions);
  open_.resize(state);
  roots_.pop_back();
  return endless;
}

// Whoever leads to the state that is being left leads out of its own component.
void CycleWatch::leads_out_before(Number state) {
  const Transition& into = transitions_[open_[state].transitions];
  if (into.to == state && into.from < state) leads_out(into.from);
}

std::optional<CycleWatch::Endless> CycleWatch::fair_cycle(Number root, StopPoll& poll) const {
  std::vector<Edge> edges;
  std::vector<ThreadSet> enabled;
  for (std::size_t s = root; s < open_.size(); ++s) enabled.push_back(open_[s].enabled);
  for (std::size_t i = open_[root].transitions; i < transitions_.size(); ++i) {
    const Transition& t = transitions_[i];
    if (t.from >= root) edges.push_back({t.from - root, t.to - root, t.label, t.choice});
  }
  const Part part(enabled.size(), std::move(edges));
  std::vector<bool> everything(enabled.size(), true), inside = everything;
  if (!refine(part, enabled, inside, poll)) return std::nullopt;

  Endless endless;
  endless.can_be_left = std::any_of(open_.begin() + root, open_.end(), [](const Open& s) { return s.leads_out; });
  auto follow = [&](const std::vector<std::uint32_t>& way, std::uint32_t& at, bool lap) {
    for (std::uint32_t e : way) {
      (lap ? endless.lap : endless.stem).push_back(part.edges()[e].choice);
      if (lap) endless.labels.push_back(part.edges()[e].label);
      at = part.edges()[e].to;
    }
  };
  std::uint32_t at = 0;
  if (!inside[0]) follow(part.way(0, everything, [&](const Edge& e) { return inside[e.to]; }), at, false);
  const std::uint32_t start = at;
  ThreadSet to_move;
  for (std::size_t s = 0; s < enabled.size(); ++s)
    if (inside[s]) join(to_move, enabled[s]);
  for (int t = to_move.next(); t >= 0; t = to_move.next(t + 1))
    follow(part.way(at, inside, [&](const Edge& e) { return e.choice.thread == t; }), at, true);
  if (at != start) follow(part.way(at, inside, [&](const Edge& e) { return e.to == start; }), at, true);
  HEDDLE_CHECK(at == start && !endless.lap.empty(), "a cycle that does not close");
  std::sort(endless.labels.begin(), endless.labels.end());
  endless.labels.erase(std::unique(endless.labels.begin(), endless.labels.end()), endless.labels.end());
  return endless;
}

void CycleWatch::clear() {
  open_.clear();
  roots_.clear();
  transitions_.clear();
  numbers_.clear();
}

}  // namespace heddle

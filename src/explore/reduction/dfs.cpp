#include "explore/reduction/dfs.h"

#include "base/check.h"
#include "model/preemptions.h"

namespace heddle {

std::optional<Request> Dfs::next() {
  if (!started_) {
    started_ = true;
    return Request{};
  }
  while (!path_.empty() && !advance(path_.back())) path_.pop_back();
  if (path_.empty()) return std::nullopt;
  Request request;
  request.prefix = choices();
  std::size_t left = path_.size();
  while (left > 0 && path_[left - 1].threads.empty() && path_[left - 1].alternatives.empty()) --left;
  request.next_shares = left > 0 ? static_cast<std::uint32_t>(left - 1) : 0;
  return request;
}

// Moves a node to its next untried choice. False if there is none.
bool Dfs::advance(Node& node) {
  if (const int alternative = node.alternatives.next(); alternative >= 0) {
    node.alternatives.remove(alternative);
    node.taken.alternative = static_cast<std::uint8_t>(alternative);
  } else if (const int thread = node.threads.next(); thread >= 0) {
    node.threads.remove(thread);
    node.taken = {static_cast<std::uint8_t>(thread), wire::kAnyAlternative};
  } else {
    return false;
  }
  ++node.tried;
  return true;
}

void Dfs::learn(const Request& request, const Trace& trace) {
  const std::size_t kept = request.prefix.size();
  HEDDLE_CHECK(kept == path_.size(), "dfs learns about a path it did not ask for");
  if (trace.events.size() < kept) {  // lost on the way (the process died): nothing below is known
    if (!path_.empty() && path_.back().taken.alternative == wire::kAnyAlternative) path_.back().taken.alternative = 0;
    return;
  }
  if (kept > 0) {
    const Event& last = trace.events[kept - 1];
    Node& node = path_.back();
    HEDDLE_CHECK(last.thread == node.taken.thread, "dfs: the run took another thread than it was asked to");
    if (node.taken.alternative == wire::kAnyAlternative) {
      node.taken.alternative = last.alternative;
      node.alternatives = last.alternatives;
      node.alternatives.remove(last.alternative);
      node.width += static_cast<std::uint32_t>(node.alternatives.count());
    }
  }
  std::uint32_t spent = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (i >= kept) path_.push_back(node_of(trace.events[i], affordable(trace, i, spent)));
    spent += is_preemption(trace.events, i);
  }
}

// The enabled threads that the bound allows before event i, after so many preemptions.
ThreadSet Dfs::affordable(const Trace& trace, std::size_t i, std::uint32_t spent) {
  ThreadSet threads = trace.events[i].enabled;
  if (!most_ || i == 0 || spent < *most_) return threads;
  for (int t = threads.next(); t >= 0; t = threads.next(t + 1)) {
    if (!preempts(trace.events[i - 1], trace.events[i].enabled, t)) continue;
    threads.remove(t);
    cut_ = true;
  }
  return threads;
}

std::optional<PreemptionBound> Dfs::preemption_bound() const {
  if (!most_) return std::nullopt;
  return PreemptionBound{*most_, cut_};
}

Dfs::Node Dfs::node_of(const Event& event, const ThreadSet& threads) {
  Node node{{event.thread, event.alternative}, threads, event.alternatives};
  node.threads.remove(event.thread);
  node.alternatives.remove(event.alternative);
  node.tried = 1;
  node.width = 1 + static_cast<std::uint32_t>(node.threads.count() + node.alternatives.count());
  return node;
}

std::vector<Choice> Dfs::choices() const {
  std::vector<Choice> choices;
  choices.reserve(path_.size());
  for (const Node& node : path_) choices.push_back(node.taken);
  return choices;
}

// The estimate is Knuth's: the product of the widths along the current path.
Progress Dfs::progress() const {
  Progress p;
  p.depth = path_.size();
  p.estimated_executions = 1;
  for (const Node& node : path_) {
    p.estimated_executions *= node.width;
    p.pending += static_cast<std::uint64_t>(node.threads.count() + node.alternatives.count());
  }
  return p;
}

}  // namespace heddle

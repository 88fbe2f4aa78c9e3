// Depth-first enumeration of every interleaving.
//
// Paper: Yang, Chen, Gopalakrishnan, Kirby (002), section 5, as the baseline without reduction.
// Idea: the current path is a stack of nodes; each remembers which choices at its state are still untried. A run goes down,
// the next one differs from it at the deepest node that has something left.
//
//   symbol in the paper        name here
//   S (stack of states)        path_
//   enabled(s)                 what Node::threads began as
//   s.backtrack \ s.done       Node::threads and Node::alternatives
//
// A transition is (thread, alternative), and the alternatives of a thread are known only from an event of it. So an untried
// thread is requested with kAnyAlternative; the trace then says what else it could have done there.
//
// With a bound on preemptions, a thread that would cost one too many is never tried.
//
// Asserted: a run follows the path it was asked for.
#pragma once
#include <vector>

#include "explore/reduction/reduction.h"

namespace heddle {

class Dfs final : public Reduction {
 public:
  explicit Dfs(std::optional<std::uint32_t> most_preemptions = {}) : most_(most_preemptions) {}
  bool covers_step_bound() const override { return true; }
  std::string_view name() const override { return "dfs"; }
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override;
  std::optional<PreemptionBound> preemption_bound() const override;
  Progress progress() const override;

 private:
  struct Node {
    Choice taken;
    ThreadSet threads;            // untried, `taken.thread` excluded
    AlternativeSet alternatives;  // of taken.thread, untried
    std::uint32_t width = 0;      // choices seen here so far, tried or not
    std::uint32_t tried = 0;
  };

  static Node node_of(const Event& event, const ThreadSet& threads);
  ThreadSet affordable(const Trace& trace, std::size_t i, std::uint32_t spent);
  bool advance(Node& node);
  std::vector<Choice> choices() const;

  const std::optional<std::uint32_t> most_;
  bool cut_ = false;
  std::vector<Node> path_;
  bool started_ = false;
};

}  // namespace heddle

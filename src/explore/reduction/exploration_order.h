// In which order a stateful search takes the transitions of a state (001 sec. 5).
#pragma once
#include <cstdint>
#include <vector>

#include "target/program.h"
#include "wire/sampling.h"

namespace heddle {

struct ExplorationOrder {
  enum class Kind : std::uint8_t {
    RunOn,       // the running thread as long as it can, then the lowest
    Sequential,  // the first one of `threads`, then the lowest of the others
    Random,
  };
  Kind kind = Kind::RunOn;
  std::vector<std::uint8_t> threads;  // Sequential; at most 15
  std::uint64_t seed = 1;             // Random
  // Back at a state, take first what leads to a state that is known already. Each thread not taken yet is tried by a run of one step.
  bool visited_first = false;
};

// Chooses at states that the search comes back to, and says how runs go on from there.
class Orderer {
 public:
  explicit Orderer(ExplorationOrder order) : order_(std::move(order)), draw_(order_.seed) {}

  // REQUIRES that `among` is not empty.
  int first(const ThreadSet& among) {
    if (order_.kind == ExplorationOrder::Kind::Random) {
      int t = among.next();
      for (std::uint64_t n = draw_.below(static_cast<std::uint64_t>(among.count())); n > 0; --n) t = among.next(t + 1);
      return t;
    }
    for (std::uint8_t t : order_.threads)
      if (among.has(t)) return t;
    return among.next();
  }

  void go_on(Request& request) {
    switch (order_.kind) {
      case ExplorationOrder::Kind::RunOn: return;
      case ExplorationOrder::Kind::Random:
        request.policy = wire::Policy::Random;
        request.seed = draw_.below(~0ULL);
        return;
      case ExplorationOrder::Kind::Sequential:
        request.policy = wire::Policy::Sequential;
        request.seed = wire::packed_order(order_.threads.data(), order_.threads.size());
    }
  }

  bool visited_first() const { return order_.visited_first; }

 private:
  ExplorationOrder order_;
  wire::Draw draw_;
};

}  // namespace heddle

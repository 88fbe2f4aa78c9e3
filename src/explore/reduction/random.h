// Random walks: at every step one of the enabled (thread, alternative) pairs, uniformly. Never verifies, never ends by
// itself.
//
// Every execution has a seed of its own, the n-th number of a generator started with --seed: the n-th run of a search is
// the same whatever was in flight with it.
#pragma once
#include "base/splitmix.h"
#include "explore/reduction/reduction.h"

namespace heddle {

class RandomWalk final : public Reduction {
 public:
  explicit RandomWalk(std::uint64_t seed) : seeds_(seed) {}
  std::string_view name() const override { return "random"; }
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override;
  bool independent() const override { return true; }
  bool exhaustive() const override { return false; }
  Progress progress() const override { return {0, 0, depth_}; }

 private:
  SplitMix seeds_;
  std::uint64_t depth_ = 0;
};

}  // namespace heddle

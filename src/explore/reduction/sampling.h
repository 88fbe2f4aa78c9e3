// Sampling with priorities: PCT and partial order sampling. They never verify and never end by themselves.
//
// Papers: wire/sampling.h, where the scheduling is done, one run at a time. Here are only the seeds: the n-th run of a search is a
// function of --seed and, for PCT, of how long the first run was.
#pragma once
#include "base/splitmix.h"
#include "explore/reduction/reduction.h"

namespace heddle {

class PctSampling final : public Reduction {
 public:
  static constexpr std::uint16_t kDepth = 3;  // bugs that need up to this many orderings

  explicit PctSampling(std::uint64_t seed) : seeds_(seed) {}
  std::string_view name() const override { return "pct"; }
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override;
  bool exhaustive() const override { return false; }
  Progress progress() const override { return {0, 0, horizon_}; }

 private:
  SplitMix seeds_;
  std::uint32_t horizon_ = 0;  // steps among which priorities change: the length of the first run
};

class PosSampling final : public Reduction {
 public:
  explicit PosSampling(std::uint64_t seed) : seeds_(seed) {}
  std::string_view name() const override { return "pos"; }
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

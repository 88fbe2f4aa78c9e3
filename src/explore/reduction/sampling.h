// Sampling: runs drawn at random, until a limit. Never verifies and never ends by itself.
//
// Papers: wire/sampling.h, where the scheduling is done, one run at a time; sampled_runs.h has what the runs are worth. Here are only the
// seeds: the n-th run of a search is a function of --seed and, for PCT, of the lengths of earlier runs. How many requests are in
// flight makes no difference.
#pragma once
#include <memory>
#include <vector>

#include "base/splitmix.h"
#include "explore/reduction/reduction.h"

namespace heddle {

// Random walks (at every step one of the enabled pairs of thread and alternative, uniformly) and partial order sampling.
class Sampling : public Reduction {
 public:
  Sampling(wire::Policy policy, std::uint64_t seed) : policy_(policy), seeds_(seed) { so_far_.sampler = name(); }
  std::string_view name() const override;
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override;
  bool independent() const override { return true; }
  bool exhaustive() const override { return false; }
  Progress progress() const override { return {0, 0, so_far_.steps}; }
  std::vector<SampledRuns> sampled() const override { return {so_far_}; }

  // The search as many workers share it: begin with run number `run`, from 0. `horizon` is the length of the longest run before the last
  // one at or before it that horizon_begins() is true of. REQUIRES called first.
  virtual void begin_at(std::uint64_t run, std::uint32_t horizon);
  virtual bool horizon_begins(std::uint64_t) const { return false; }

 protected:
  SampledRuns& so_far() { return so_far_; }
  const SampledRuns& so_far() const { return so_far_; }

 private:
  wire::Policy policy_;
  SplitMix seeds_;
  SampledRuns so_far_;
};

// PCT. Priorities change at steps up to a horizon, which has to cover the run for the paper's bound to hold: runs 2^i to 2^(i+1) - 1 take the
// length of the longest run before them. Only before a new horizon do the earlier runs have to be known.
class PctSampling final : public Sampling {
 public:
  static constexpr std::uint16_t kDepth = 3;  // bugs that need up to this many orderings

  explicit PctSampling(std::uint64_t seed, std::uint16_t depth = kDepth) : Sampling(wire::Policy::Pct, seed) { so_far().depth = depth; }
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override;
  bool independent() const override { return !takes_new_horizon(); }
  void begin_at(std::uint64_t run, std::uint32_t horizon) override;
  bool horizon_begins(std::uint64_t run) const override { return (run & (run + 1)) == 0; }

 private:
  bool takes_new_horizon() const { return horizon_begins(asked_ - 1); }

  std::uint64_t asked_ = 1;  // the number of the next run
  std::uint32_t horizon_ = 0;
};

// Several samplers in turn: what one of them is blind to, another may see.
class MixedSampling final : public Reduction {
 public:
  explicit MixedSampling(std::vector<std::unique_ptr<Sampling>> samplers) : samplers_(std::move(samplers)) {}
  std::string_view name() const override { return "sampling"; }
  std::optional<Request> next() override { return samplers_[asked_++ % samplers_.size()]->next(); }
  void learn(const Request& request, const Trace& trace) override { samplers_[learned_++ % samplers_.size()]->learn(request, trace); }
  bool independent() const override { return samplers_[asked_ % samplers_.size()]->independent(); }
  bool exhaustive() const override { return false; }
  Progress progress() const override { return samplers_.front()->progress(); }
  std::vector<SampledRuns> sampled() const override;

 private:
  std::vector<std::unique_ptr<Sampling>> samplers_;
  std::size_t asked_ = 0, learned_ = 0;
};

// Partial order sampling, PCT of depth 2 and of `depth`, and random walks.
std::unique_ptr<Reduction> mixed_sampling(std::uint64_t seed, std::uint16_t depth);

}  // namespace heddle

#include "explore/reduction/sampling.h"

#include <algorithm>

namespace heddle {

// --- random walks, partial order sampling ----------------------------------------------------------------------------

std::string_view Sampling::name() const {
  switch (policy_) {
    case wire::Policy::Pct: return "pct";
    case wire::Policy::Pos: return "pos";
    default: return "random";
  }
}

std::optional<Request> Sampling::next() {
  Request request;
  request.policy = policy_;
  request.seed = seeds_.next();
  return request;
}

void Sampling::learn(const Request&, const Trace& trace) {
  ++so_far_.runs;
  so_far_.threads = std::max<std::uint64_t>(so_far_.threads, trace.threads);
  so_far_.steps = std::max<std::uint64_t>(so_far_.steps, trace.events.size());
  so_far_.chose_data = so_far_.chose_data || std::any_of(trace.events.begin(), trace.events.end(), [](const Event& e) { return e.alternatives.count() > 1; });
}

void Sampling::begin_at(std::uint64_t run, std::uint32_t) { seeds_.skip(run); }

// --- PCT -------------------------------------------------------------------------------------------------------------

void PctSampling::begin_at(std::uint64_t run, std::uint32_t horizon) {
  Sampling::begin_at(run, horizon);
  asked_ = run + 1;
  horizon_ = horizon;
  so_far().steps = horizon;
}

std::optional<Request> PctSampling::next() {
  if (takes_new_horizon()) horizon_ = static_cast<std::uint32_t>(so_far().steps);
  ++asked_;
  Request request = *Sampling::next();
  request.depth = static_cast<std::uint16_t>(so_far().depth);
  request.horizon = horizon_;
  return request;
}

// A longer run than any before: the changes of earlier ones could not have come late enough in it.
void PctSampling::learn(const Request& request, const Trace& trace) {
  if (trace.events.size() > so_far().steps) so_far().covering = 0;
  Sampling::learn(request, trace);
  if (request.horizon >= so_far().steps) ++so_far().covering;
}

// --- a mixture -------------------------------------------------------------------------------------------------------

std::vector<SampledRuns> MixedSampling::sampled() const {
  std::vector<SampledRuns> all;
  for (const auto& sampler : samplers_) all.push_back(sampler->sampled().front());
  return all;
}

std::unique_ptr<Reduction> mixed_sampling(std::uint64_t seed, std::uint16_t depth) {
  SplitMix seeds(seed);
  std::vector<std::unique_ptr<Sampling>> samplers;
  samplers.push_back(std::make_unique<Sampling>(wire::Policy::Pos, seeds.next()));
  samplers.push_back(std::make_unique<PctSampling>(seeds.next(), depth));
  samplers.push_back(std::make_unique<Sampling>(wire::Policy::Random, seeds.next()));
  samplers.push_back(std::make_unique<PctSampling>(seeds.next(), std::uint16_t{2}));
  return std::make_unique<MixedSampling>(std::move(samplers));
}

}  // namespace heddle

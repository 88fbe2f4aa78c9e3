#include "explore/reduction/sampling.h"

namespace heddle {

std::optional<Request> PctSampling::next() {
  Request request;
  request.policy = wire::Policy::Pct;
  request.seed = seeds_.next();
  request.depth = kDepth;
  request.horizon = horizon_;
  return request;
}

void PctSampling::learn(const Request&, const Trace& trace) {
  if (horizon_ == 0) horizon_ = static_cast<std::uint32_t>(trace.events.size());
}

std::optional<Request> PosSampling::next() {
  Request request;
  request.policy = wire::Policy::Pos;
  request.seed = seeds_.next();
  return request;
}

void PosSampling::learn(const Request&, const Trace& trace) { depth_ = trace.events.size(); }

}  // namespace heddle

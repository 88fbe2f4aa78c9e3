#include "explore/reduction/deepening.h"

namespace heddle {

std::optional<Request> Deepening::next() {
  for (;;) {
    if (std::optional<Request> request = inner_->next()) return request;
    if (!inner_->preemption_bound()->cut) return std::nullopt;
    inner_ = make_(++most_);
    inner_->heed(poll_);
  }
}

std::optional<PreemptionBound> Deepening::preemption_bound() const {
  PreemptionBound bound = *inner_->preemption_bound();
  bound.grows = true;
  return bound;
}

}  // namespace heddle

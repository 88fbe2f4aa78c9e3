#include "explore/reduction/random.h"

namespace heddle {

std::optional<Request> RandomWalk::next() {
  Request request;
  request.policy = wire::Policy::Random;
  request.seed = seeds_.next();
  return request;
}

void RandomWalk::learn(const Request&, const Trace& trace) { depth_ = trace.events.size(); }

}  // namespace heddle

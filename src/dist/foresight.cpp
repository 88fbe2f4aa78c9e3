#include "dist/foresight.h"

#include <algorithm>

namespace heddle {
namespace {

// Of a hand-over, and of all that is kept: a few hundred kilobytes, and a few megabytes. Longer runs cost so much more than the hand-over that nothing is gained.
constexpr std::size_t kMostStepsAtOnce = 4096, kMostKept = 64;

bool same(const Request& a, const Request& b) {
  auto same_entry = [](const wire::SleepEntry& x, const wire::SleepEntry& y) { return x.thread == y.thread && x.alternatives == y.alternatives; };
  return a.prefix == b.prefix && std::equal(a.sleep.begin(), a.sleep.end(), b.sleep.begin(), b.sleep.end(), same_entry);
}

}  // namespace

Result<Trace> Foresight::run(const Request& request) {
  if (most_ == 0) return program_.run(request);
  drop_what_is_over();
  const auto known = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Kept& k) { return same(k.foreseen.request, request); });
  if (known != kept_.rend()) {
    Trace trace = std::move(known->trace);
    kept_.erase(std::next(known).base());
    return trace;
  }
  std::vector<ReversalSearch::Foreseen> more = search_.foresee(room());
  if (Status sent = program_.submit(request); !sent) return sent.error();
  for (auto& foreseen : more) {
    foreseen.request.timeouts = request.timeouts;
    if (Status sent = program_.submit(foreseen.request); !sent) return sent.error();
  }
  Result<Trace> asked = program_.collect();
  if (!asked) return asked;
  steps_ = asked->events.size();
  for (auto& foreseen : more) {
    Result<Trace> trace = program_.collect();
    if (!trace) return trace;
    kept_.push_back({std::move(foreseen), std::move(*trace)});
  }
  return asked;
}

std::size_t Foresight::room() const {
  const std::size_t fit = kMostStepsAtOnce / std::max<std::size_t>(1, steps_);
  return std::min({most_, fit, static_cast<std::size_t>(program_.capacity()) - 1, kMostKept - std::min(kMostKept, kept_.size())});
}

void Foresight::drop_what_is_over() {
  const std::size_t from = search_.floor(), to = search_.branching();
  unused_ += std::erase_if(kept_, [&](const Kept& k) { return k.foreseen.depth < from || k.foreseen.depth > to; });
}

void Foresight::forget() {
  unused_ += kept_.size();
  kept_.clear();
}

}  // namespace heddle

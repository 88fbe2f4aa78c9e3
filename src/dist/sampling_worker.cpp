#include "dist/sampling_worker.h"

#include <utility>

#include "explore/reduction/sampling.h"

namespace heddle {

Status SamplingWorker::begin(const Command& command) {
  if (Status shown = show(command.terms); !shown) return shown;
  slice_ = command.slice;
  next_ = slice_.first;
  sampling_ = make_();
  dynamic_cast<Sampling&>(*sampling_).begin_at(slice_.first, slice_.horizon);
  return Nothing{};
}

Status SamplingWorker::ask_ahead() {
  const int ahead = sampling_->independent() ? program_.capacity() : 1;
  for (; next_ < slice_.first + slice_.count && program_.in_flight() < ahead; ++next_) {
    asked_.push_back(sampling_->next().value());
    if (Status sent = program_.submit(asked_.back()); !sent) return sent;
  }
  return Nothing{};
}

void SamplingWorker::step() {
  if (Status asked = ask_ahead(); !asked) return fail(asked.error());
  if (asked_.empty()) {
    report_.sampled = sampling_->sampled().front();
    return finish();
  }
  Result<Trace> trace = program_.collect();
  if (!trace) return fail(trace.error());
  const Request request = std::move(asked_.front());
  asked_.pop_front();
  if (!count(request, *trace)) return;
  if (!report_.hidden.empty()) return give_up();
  sampling_->learn(request, *trace);
  look_around();
}

// Nothing may be in flight when the next one begins.
void SamplingWorker::abandon() {
  while (program_.in_flight() > 0) (void)program_.collect();
  asked_.clear();
}

void SamplingWorker::complete_report() {
  const std::uint64_t asked = next_ - std::min(next_, slice_.first);
  report_.seen = slice_.count == 0 ? 1 : static_cast<double>(asked - asked_.size()) / static_cast<double>(slice_.count);
}

}  // namespace heddle

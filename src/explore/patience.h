// How long a search may go on: until its time is over or the user has enough. Asked by everybody who waits.
#pragma once
#include <chrono>
#include <optional>

#include "explore/interrupt.h"

namespace heddle {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(std::optional<double> timeout_s = {}) : start_(Clock::now()) {
    if (timeout_s)
      deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*timeout_s));
  }

  bool over() const { return interrupted() || (deadline_ && !extended_ && Clock::now() >= *deadline_); }
  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // While a finding is being confirmed the clock does not count: a bug that was seen in time is shown.
  void extend(bool on) { extended_ = on; }

 private:
  Clock::time_point start_;
  std::optional<Clock::time_point> deadline_;
  bool extended_ = false;
};

}  // namespace heddle

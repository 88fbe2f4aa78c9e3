// Decides when a run has stopped answering: first it is interrupted, then given a second to say where it was, then killed.
//
// What counts is time that the run has had, not time that has gone by: on a busy machine a correct run may wait long for a processor. So
// the processor's time counts while it runs, the clock's only while it is blocked in the kernel, and none while somebody has
// stopped it. (The program cannot stop itself: the runtime takes such signals for a finding.)
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

#include "target/activity.h"

namespace heddle {

class HangWatch {
 public:
  enum class Advice { Wait, Interrupt, Kill };

  // `limit` zero: never.
  explicit HangWatch(std::chrono::milliseconds limit) : limit_(limit) {}

  // Call now and then with what the run's process does and with the run's heartbeat. Interrupt is answered once.
  // REQUIRES `now` was found out before `heartbeat`: what it tells is then behind a heartbeat that has not changed.
  Advice look(const Activity& now, std::uint64_t heartbeat) {
    if (heartbeat != heartbeat_) {
      *this = HangWatch(limit_);
      heartbeat_ = heartbeat;
      return Advice::Wait;  // and nothing to compare with: between the look and the heartbeat there may have been any time
    }
    if (looked_) taken_ += time_between(last_, now);
    last_ = now;
    looked_ = true;
    if (limit_.count() == 0 || taken_ < limit_) return Advice::Wait;
    if (interrupted_) return taken_ < limit_ + kGrace ? Advice::Wait : Advice::Kill;
    interrupted_ = true;
    return Advice::Interrupt;
  }

 private:
  static constexpr std::chrono::milliseconds kGrace{1000};
  static constexpr std::chrono::milliseconds kMostUnseen{100};  // whoever looks may have been stopped or kept waiting, too

  static std::chrono::milliseconds time_between(const Activity& last, const Activity& now) {
    const auto worked = std::max(now.processor - last.processor, std::chrono::milliseconds(0));  // less: it is another process
    if (now.state != Activity::State::Blocked) return worked;
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(now.when - last.when);
    return std::max(worked, std::min(waited, kMostUnseen));
  }

  std::chrono::milliseconds limit_;
  std::chrono::milliseconds taken_{0};  // since the heartbeat changed
  Activity last_;  // if `looked_` since then
  bool looked_ = false;
  std::uint64_t heartbeat_ = 0;
  bool interrupted_ = false;
};

}  // namespace heddle

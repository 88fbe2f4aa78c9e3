// Decides when a run has stopped answering: first it is interrupted, then given a second to say where it was, then killed.
#pragma once
#include <chrono>
#include <cstdint>

namespace heddle {

class HangWatch {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Advice { Wait, Interrupt, Kill };

  // `limit` zero: never.
  HangWatch(std::chrono::milliseconds limit, Clock::time_point now) : limit_(limit), since_(now) {}

  // Call now and then with the run's heartbeat. Interrupt is answered once.
  Advice look(std::uint64_t heartbeat, Clock::time_point now) {
    if (heartbeat != heartbeat_) {
      heartbeat_ = heartbeat;
      since_ = now;
      interrupted_ = false;
    }
    if (limit_.count() == 0 || now - since_ < limit_) return Advice::Wait;
    if (interrupted_) return now - since_ < limit_ + kGrace ? Advice::Wait : Advice::Kill;
    interrupted_ = true;
    return Advice::Interrupt;
  }

 private:
  static constexpr std::chrono::milliseconds kGrace{1000};
  std::chrono::milliseconds limit_;
  Clock::time_point since_;
  std::uint64_t heartbeat_ = 0;
  bool interrupted_ = false;
};

}  // namespace heddle

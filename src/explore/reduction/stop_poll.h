// Asked, while an algorithm thinks, whether anybody still wants to know.
//
// A run of 100,000 steps can give an algorithm minutes of work. It asks every so often; once the answer is that it is over, what it was at is
// abandoned by an exception, so that nothing goes on with half of an answer. Whoever catches that drops the reduction: it claims nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>

namespace heddle {

struct Abandoned {};

class StopPoll {
 public:
  StopPoll() = default;  // never over
  explicit StopPoll(std::function<bool()> is_over) : is_over_(std::move(is_over)) {}

  // `work`: what is about to be done before the next call, in steps that take nanoseconds. Throws Abandoned.
  void ask(std::uint64_t work = 1) {
    done_ += work;
    if (done_ >= kEvery) look();
  }

 private:
  static constexpr std::uint64_t kEvery = 100'000;  // a millisecond or less, to look at a clock that takes a fraction of a microsecond

  void look() {
    done_ = 0;
    if (is_over_ && is_over_()) throw Abandoned{};
  }

  std::function<bool()> is_over_;
  std::uint64_t done_ = 0;
};

}  // namespace heddle

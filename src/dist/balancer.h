// The load balancer of 003 fig. 3: who is idle, who is busy, and who gets which unit. Knows no processes and no clock.
//
// Deviations from 003: units pass through the balancer, which keeps each of them until it is acknowledged, so that a lost worker
// loses nothing; and backtrack points above a unit are added here (dist/trunk.h), where 003 lets every worker keep a copy of its own.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "dist/trunk.h"

namespace heddle {

class Balancer {
 public:
  using Send = std::function<void(int worker, const Command&)>;

  // threshold: a worker gives work away while it owes more branches than this; none: adapted to how small the units get.
  Balancer(Send send, std::optional<std::uint32_t> threshold) : send_(std::move(send)), fixed_(threshold) {}

  void join(int worker);
  void lose(int worker);
  bool take(int worker, const Report& report);  // false: the report makes no sense

  bool finished() const { return trunk_.finished(); }
  const Tally& settled() const { return settled_; }
  Tally total() const;  // with what is not settled yet
  std::size_t busy() const;
  std::size_t idle() const { return workers_.size() - busy(); }
  std::size_t waiting() const { return trunk_.waiting(); }
  std::uint64_t units() const { return units_; }        // finished
  std::uint64_t repeated() const { return repeated_; }  // given out again because a worker was lost

 private:
  struct Worker {
    UnitId unit = 0;      // 0: idle
    Tally unsettled;
    bool asked = false;   // to unload
  };

  void distribute();
  void ask_for_work();
  std::uint32_t threshold() const;

  Send send_;
  std::optional<std::uint32_t> fixed_;
  Trunk trunk_;
  std::map<int, Worker> workers_;
  Tally settled_;
  std::uint64_t units_ = 0, repeated_ = 0;
};

}  // namespace heddle

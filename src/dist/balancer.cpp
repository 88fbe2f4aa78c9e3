#include "dist/balancer.h"

#include <algorithm>

namespace heddle {

void Balancer::join(int worker) {
  workers_[worker];
  distribute();
}

void Balancer::lose(int worker) {
  const auto it = workers_.find(worker);
  if (it == workers_.end()) return;
  if (it->second.unit != 0) {
    trunk_.take_back(it->second.unit);
    ++repeated_;
  }
  workers_.erase(it);
  distribute();
}

bool Balancer::take(int worker, const Report& report) {
  const auto it = workers_.find(worker);
  if (it == workers_.end()) return true;  // a message of somebody who is lost
  Worker& w = it->second;
  if (report.id == 0) return true;
  if (report.id != w.unit || !trunk_.holds(report.id) || !trunk_.apply(report)) return false;
  settled_.add(report.settled);
  w.unsettled = report.unsettled;
  if (report.cut) w.asked = false;
  if (report.finished) {
    ++units_;
    w = {};
  }
  distribute();
  return true;
}

void Balancer::distribute() {
  for (auto& [name, w] : workers_) {
    if (w.unit != 0) continue;
    auto given = trunk_.give();
    if (!given) break;
    w = {given->first, {}, false};
    Command command;
    command.kind = Command::Kind::Explore;
    command.id = given->first;
    command.unit = std::move(given->second);
    send_(name, command);
  }
  if (idle() > 0 && trunk_.given() > 0) ask_for_work();
}

// The busy worker that is nearest the root has most to give.
void Balancer::ask_for_work() {
  for (std::size_t wanted = idle(); wanted > 0; --wanted) {
    auto best = workers_.end();
    for (auto it = workers_.begin(); it != workers_.end(); ++it) {
      if (it->second.unit == 0 || it->second.asked) continue;
      if (best == workers_.end() || trunk_.depth_of(it->second.unit) < trunk_.depth_of(best->second.unit)) best = it;
    }
    if (best == workers_.end()) return;
    best->second.asked = true;
    Command command;
    command.kind = Command::Kind::Unload;
    command.threshold = threshold();
    send_(best->first, command);
  }
}

// Units of a few runs cost more to send than to explore: then only workers with plenty of branches give some away.
std::uint32_t Balancer::threshold() const {
  if (fixed_) return *fixed_;
  const std::uint64_t runs = settled_.executions + settled_.blocked;
  if (units_ < 16 || runs / units_ >= 32) return 0;
  return runs / units_ >= 8 ? 2 : 6;
}

std::size_t Balancer::busy() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [](const auto& w) { return w.second.unit != 0; }));
}

Tally Balancer::total() const {
  Tally t = settled_;
  for (const auto& [name, w] : workers_) t.add(w.unsettled);
  return t;
}

}  // namespace heddle

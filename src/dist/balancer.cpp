#include "dist/balancer.h"

#include <algorithm>

namespace heddle {

Balancer::Balancer(Send send, std::optional<std::uint32_t> threshold, std::unique_ptr<Frontier> frontier)
    : send_(std::move(send)), fixed_(threshold), frontier_(std::move(frontier)) {}

void Balancer::join(int worker) {
  workers_[worker];
  records_[worker];
  distribute();
}

void Balancer::lose(int worker) {
  const auto it = workers_.find(worker);
  if (it == workers_.end()) return;
  take_unit_from(worker, it->second);
  records_[worker].lost = true;
  workers_.erase(it);
  distribute();
}

// What it has done since its last snapshot, cut or beginning has to be done again.
void Balancer::take_unit_from(int name, Worker& worker) {
  if (worker.unit == 0) return;
  frontier_->take_back(worker.unit);
  Tally gone = worker.unsettled;
  if (worker.kept) {
    settled_.add(*worker.kept);
    gone = gone.since(*worker.kept);
  }
  wasted_.add(gone);
  ++repeated_;
  ++records_[name].repeated;
  worker = {};
}

Balancer::Heard Balancer::take(int name, const Report& report) {
  const auto it = workers_.find(name);
  if (it == workers_.end() || report.id == 0) return Heard::Yes;  // of somebody who is lost, or about no unit
  Worker& w = it->second;
  if (report.order != w.order || w.unit == 0) return Heard::Outdated;
  if (report.id != w.unit || !frontier_->holds(report.id)) return Heard::Nonsense;
  if (!adopt(report.threads)) {
    take_unit_from(name, w);
    Command drop;
    drop.kind = Command::Kind::Drop;
    send_(name, drop);
    distribute();
    return Heard::Outdated;
  }
  if (!frontier_->apply(report)) return Heard::Nonsense;
  Record& record = records_[name];
  Tally known = w.settled;
  known.add(w.unsettled);
  w.settled.add(report.settled);
  w.unsettled = report.unsettled;
  Tally all = w.settled;
  all.add(w.unsettled);
  record.work.add(all.since(known));
  settled_.add(report.settled);
  w.seen = report.seen;
  if (report.cut) {
    w.asked = false;
    w.kept.reset();
  }
  if (report.saved) w.saving = false;
  if (report.snapshot) w.kept = report.kept;
  if (report.finished) {
    ++units_;
    ++record.units;
    w = {};
  }
  distribute();
  return Heard::Yes;
}

bool Balancer::adopt(const std::vector<wire::ThreadName>& names) {
  const std::size_t both = std::min(names.size(), threads_.size());
  for (std::size_t i = 0; i < both; ++i)
    if (names[i].parent != threads_[i].parent || names[i].child != threads_[i].child) return false;
  if (names.size() > threads_.size()) threads_ = names;
  return true;
}

void Balancer::distribute() {
  for (auto& [name, w] : workers_) {
    if (w.unit != 0) continue;
    std::optional<Command> command = frontier_->hand_out();
    if (!command) break;
    w = {};
    w.unit = command->id;
    w.order = command->order = ++orders_;
    command->threads = threads_;
    send_(name, *command);
  }
  if (idle() > 0 && frontier_->given() > 0 && frontier_->can_be_cut()) ask_for_work();
}

// The busy worker that is nearest the root has most to give.
void Balancer::ask_for_work() {
  for (std::size_t wanted = idle(); wanted > 0; --wanted) {
    auto best = workers_.end();
    for (auto it = workers_.begin(); it != workers_.end(); ++it) {
      if (it->second.unit == 0 || it->second.asked) continue;
      if (best == workers_.end() || frontier_->depth_of(it->second.unit) < frontier_->depth_of(best->second.unit)) best = it;
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
  if (units_ < 16 || settled_.runs() / units_ >= 32) return 0;
  return settled_.runs() / units_ >= 8 ? 2 : 6;
}

bool Balancer::is_busy(int worker) const {
  const auto it = workers_.find(worker);
  return it != workers_.end() && it->second.unit != 0;
}

std::size_t Balancer::busy() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [](const auto& w) { return w.second.unit != 0; }));
}

Tally Balancer::total() const {
  Tally t = settled_;
  for (const auto& [name, w] : workers_) t.add(w.unsettled);
  return t;
}

double Balancer::seen() const {
  return frontier_->seen([this](UnitId id) {
    for (const auto& [name, w] : workers_)
      if (w.unit == id) return w.seen;
    return 0.0;
  });
}

// --- saving ----------------------------------------------------------------------------------------------------------

void Balancer::ask_to_save() {
  Command command;
  command.kind = Command::Kind::Save;
  for (auto& [name, w] : workers_) {
    if (w.unit == 0 || w.saving) continue;
    w.saving = true;
    send_(name, command);
  }
}

bool Balancer::all_saved() const {
  return std::none_of(workers_.begin(), workers_.end(), [](const auto& w) { return w.second.saving; });
}

Balancer::Saved Balancer::save() const {
  Saved saved{frontier_->save(), settled_, units_, repeated_, wasted_, threads_};
  for (const auto& [name, w] : workers_)
    if (w.kept) saved.settled.add(*w.kept);
  return saved;
}

void Balancer::restore(const Saved& saved, std::unique_ptr<Frontier> frontier) {
  HEDDLE_CHECK(workers_.empty(), "a search is restored under those who work on it");
  frontier_ = std::move(frontier);
  settled_ = saved.settled;
  units_ = saved.units;
  repeated_ = saved.repeated;
  wasted_ = saved.wasted;
  threads_ = saved.threads;
}

}  // namespace heddle

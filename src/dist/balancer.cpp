#include "dist/balancer.h"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

// A unit is cut if it promises so many microseconds of work for everyone who is busy: the balancer has to serve all of them in that time, and one that would
// be over soon is not worth the messages. Chosen by simulation (bench/ddpor_simulator, 1,024 workers on
// 30,000 to 10 million runs); half or twice as much costs some hundredths there.
constexpr double kUsForEachBusy = 24;

}  // namespace

Balancer::Balancer(Send send, std::optional<std::uint32_t> threshold, std::unique_ptr<Frontier> frontier)
    : send_(std::move(send)), fixed_(threshold), frontier_(std::move(frontier)) {}

void Balancer::join(int worker) {
  list(worker, workers_[worker]);
  records_[worker];
  distribute();
}

void Balancer::lose(int worker) {
  const auto it = workers_.find(worker);
  if (it == workers_.end()) return;
  take_unit_from(worker, it->second);
  records_[worker].lost = true;
  unlist(worker, it->second);
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
  unlist(name, worker);
  worker = {};
  list(name, worker);
}

void Balancer::start_over(const Terms& terms, std::unique_ptr<Frontier> frontier) {
  wasted_.add(total());
  terms_ = terms;
  frontier_ = std::move(frontier);
  settled_ = {};
  units_ = 0;
  busy_when_asked_ = most_busy_ = 0;
  for (auto& [name, record] : records_) record.work = {}, record.units = 0;
  for (auto& [name, worker] : workers_) {
    unlist(name, worker);
    if (worker.unit != 0) drop(name);
    worker = {};
    list(name, worker);
  }
  distribute();
}

void Balancer::go_on(const Terms& terms, std::unique_ptr<Frontier> frontier) {
  HEDDLE_CHECK(finished() && busy() == 0, "a search goes on before it is through");
  terms_ = terms;
  frontier_ = std::move(frontier);
  settled_.left_out_for_preemptions = false;
  distribute();
}

void Balancer::drop(int name) {
  Command command;
  command.kind = Command::Kind::Drop;
  send_(name, command);
}

Balancer::Heard Balancer::take(int name, const Report& report) {
  const auto it = workers_.find(name);
  if (it == workers_.end() || report.id == 0) return Heard::Yes;  // of somebody who is lost, or about no unit
  Worker& w = it->second;
  if (report.order != w.order || w.unit == 0) return Heard::Outdated;
  if (report.id != w.unit || !frontier_->holds(report.id)) return Heard::Nonsense;
  if (!adopt(report.threads)) {
    take_unit_from(name, w);
    drop(name);
    distribute();
    return Heard::Outdated;
  }
  if (!frontier_->apply(report)) return Heard::Nonsense;
  unlist(name, w);
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
  list(name, w);
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

// Every worker is listed, but while its unit changes: which one it has, where that lies, whether it is to be cut.
void Balancer::list(int name, Worker& worker) {
  if (worker.unit == 0) {
    idle_.insert(name);
  } else if (!worker.asked && frontier_->can_be_cut()) {
    worker.listed = frontier_->depth_of(worker.unit);
    givers_.insert({*worker.listed, name});
  }
}

void Balancer::unlist(int name, Worker& worker) {
  idle_.erase(name);
  if (worker.listed) givers_.erase({*worker.listed, name});
  worker.listed.reset();
}

void Balancer::distribute() {
  while (!idle_.empty()) {
    std::optional<Command> command = frontier_->hand_out();
    if (!command) break;
    const int name = *idle_.begin();
    Worker& w = workers_[name];
    unlist(name, w);
    w = {};
    w.unit = command->id;
    w.order = command->order = ++orders_;
    list(name, w);
    command->threads = threads_;
    command->terms = terms_;
    given_.emplace_back(name, std::move(*command));
  }
  most_busy_ = std::max(most_busy_, busy());
  ask_for_work();
  for (const auto& [name, command] : std::exchange(given_, {})) send_(name, command);
}

// The busy worker that is nearest the root has most to give. Twice as many are asked as want something: some have too little when they hear of it.
void Balancer::ask_for_work() {
  std::size_t asked = busy() - givers_.size();
  for (; asked < 2 * idle() && !givers_.empty(); ++asked) {
    const int name = givers_.begin()->second;
    Worker& w = workers_[name];
    unlist(name, w);
    w.asked = true;
    ask(name);
  }
  ask_again();
}

// Who is given a unit in the same breath is told with it.
void Balancer::ask(int name) {
  Command alone;
  alone.kind = Command::Kind::Unload;
  Command* with = not_sent_to(name);
  Command& command = with ? *with : alone;
  command.unload = true;
  command.threshold = threshold();
  command.least_us = least_us();
  if (!with) send_(name, command);
  busy_when_asked_ = std::max(busy_when_asked_, busy());
}

Command* Balancer::not_sent_to(int name) {
  const auto it = std::find_if(given_.begin(), given_.end(), [&](const auto& g) { return g.first == name; });
  return it == given_.end() ? nullptr : &it->second;
}

// As a search ends, ever fewer are busy, and smaller units are welcome than those that they were asked for.
void Balancer::ask_again() {
  if (idle() == 0 || busy() > busy_when_asked_ / 2) return;
  busy_when_asked_ = busy();
  for (const auto& [name, w] : workers_)
    if (w.asked) ask(name);
}

// Every unit takes some of the balancer's time, and the more workers are busy the more of them want it. So units are to be larger then: only
// workers with plenty of branches give some away, where units have turned out to be small.
std::uint32_t Balancer::threshold() const {
  if (fixed_) return *fixed_;
  const std::uint64_t enough = std::max<std::uint64_t>(32, 4 * busy());
  if (units_ < 16 || settled_.runs() / units_ >= enough) return 0;
  return settled_.runs() / units_ >= enough / 4 ? 2 : 6;
}

// Where the threshold is given, it alone decides. Before nearly everybody has had something to do, units are to be larger than those who are busy by then would need: small
// ones would soon be over, and the balancer would have to do with them instead of with those who wait.
std::uint32_t Balancer::least_us() const {
  if (fixed_) return 0;
  const auto busy_ones = static_cast<double>(busy()), all = static_cast<double>(workers_.size());
  const bool is_beginning = static_cast<double>(most_busy_) < 0.9 * all;
  return static_cast<std::uint32_t>(kUsForEachBusy * (is_beginning ? std::sqrt(busy_ones * all) : busy_ones));
}

bool Balancer::is_busy(int worker) const {
  const auto it = workers_.find(worker);
  return it != workers_.end() && it->second.unit != 0;
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
  Saved saved{frontier_->save(), settled_, units_, repeated_, wasted_, threads_, terms_};
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
  terms_ = saved.terms;
}

}  // namespace heddle

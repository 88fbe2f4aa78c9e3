#include "bench/ddpor_simulator/worker.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace heddle::simulation {
namespace {

constexpr Nanoseconds kLookEvery = 300'000;  // as dist/worker.cpp

Transition step(Run run, std::uint16_t place) {
  Transition t;
  t.operation.op = wire::Op::AtomicStore;
  t.operation.object = 1;
  t.operation.size = 4;
  t.operation.thread = static_cast<std::uint8_t>(place % 64);
  t.operation.argument = run;
  t.choice.thread = t.operation.thread;
  t.choice.alternative = static_cast<std::uint8_t>(place / 64);
  return t;
}

}  // namespace

void SimulatedWorker::obey(const Command& command) {
  if (command.kind == Command::Kind::Explore) {
    report_ = {};
    report_.id = command.id;
    report_.order = command.order;
    begin(command.unit);
  }
  if (command.unload && !idle()) {
    asked_ = true;
    threshold_ = command.threshold;
    least_us_ = command.least_us;
  }
}

void SimulatedWorker::begin(const Unit& unit) {
  const Run run = unit.branch ? static_cast<Run>(unit.branch->operation.argument) : 0;
  floor_ = static_cast<std::uint32_t>(unit.floor());
  fresh_ = unit.fresh;
  tally_ = sent_ = {};
  owes_ = 0;
  owed_.clear();
  done_.clear();
  entered_.clear();
  spent_ = 0;
  path_.clear();
  for (Run r = run; r != 0; r = tree_->parent(r))
    if (path_.empty() || tree_->depth(r) < path_.back().from) path_.push_back({r, tree_->depth(r)});
  if (path_.empty() || path_.back().from > 0) path_.push_back({0, 0});
  std::reverse(path_.begin(), path_.end());
  asked_ = false;
  first_ = true;
}

// What the path does at a depth: a run's own branch, or a step of it that is nobody's branch.
Transition SimulatedWorker::taken(std::uint32_t depth) const {
  auto it = std::find_if(path_.rbegin(), path_.rend(), [&](const Segment& s) { return s.from <= depth; });
  const bool is_branch = it->run != 0 && it->from == depth;
  return step(it->run, is_branch ? tree_->place(it->run) : 0);
}

Nanoseconds SimulatedWorker::run_next() {
  Run run = path_.back().run;
  if (!std::exchange(first_, false)) {
    const auto deepest = std::prev(owed_.end());
    const std::uint32_t depth = deepest->first;
    run = deepest->second.front();
    deepest->second.erase(deepest->second.begin());
    if (deepest->second.empty()) owed_.erase(deepest);
    --owes_;
    done_.erase(done_.upper_bound(depth), done_.end());
    done_[depth].push_back(taken(depth));
    entered_.erase(entered_.upper_bound(depth), entered_.end());
    entered_[depth] = tally_.executions;
    while (!path_.empty() && path_.back().from >= depth) path_.pop_back();
    path_.push_back({run, depth});
  }
  for (const Run found : tree_->found_by(run)) {
    const std::uint32_t depth = tree_->depth(found);
    if (depth >= floor_) {
      owed_[depth].push_back(found);
      ++owes_;
    } else {
      Reversal reversal;
      reversal.depth = depth;
      reversal.steps.push_back({step(found, tree_->place(found)), true, {}});
      report_.reversals.push_back(std::move(reversal));
    }
  }
  ++runs_;
  ++tally_.executions;
  spent_ += tree_->cost_ns(run);
  return tree_->cost_ns(run);
}

// As dist/reversal_worker.cpp and ReversalSearch::seen().
double SimulatedWorker::promised_runs() const {
  const auto below = entered_.lower_bound(floor_);
  const std::uint64_t before = below == entered_.begin() ? 0 : std::prev(below)->second;
  double seen = 1;
  auto owed = owed_.rbegin();
  auto done = done_.rbegin();
  while (owed != owed_.rend() || done != done_.rend()) {
    const std::uint32_t depth = std::max(owed != owed_.rend() ? owed->first : 0, done != done_.rend() ? done->first : 0);
    if (depth < floor_) break;
    double more = 0, finished = 0;
    if (owed != owed_.rend() && owed->first == depth) more = static_cast<double>((owed++)->second.size());
    if (done != done_.rend() && done->first == depth) finished = static_cast<double>((done++)->second.size());
    seen = (finished + seen) / (finished + 1 + more);
  }
  return static_cast<double>(tally_.executions - before) * (1 - seen) / seen;
}

bool SimulatedWorker::is_to_unload() const {
  if (!asked_ || owes_ <= threshold_) return false;
  return promised_runs() * static_cast<double>(spent_) * 1e-3 >= static_cast<double>(least_us_) * static_cast<double>(tally_.runs());
}

// As dist/worker.cpp: step(), look_around(), unload().
Nanoseconds SimulatedWorker::work(Nanoseconds now) {
  const Nanoseconds begun = now;
  looked_ = now;
  for (;;) {
    const bool first = first_;
    if (!first && owed_.empty()) {
      report_.finished = true;
      report_.settled = tally_.since(sent_);
      send(now);
      break;
    }
    now += run_next();
    if (first) {
      for (std::uint32_t i = fresh_; i < floor_; ++i) report_.path.push_back(taken(i));
    }
    if (owed_.empty()) continue;
    if (is_to_unload()) {
      report_.cut = cut();
      report_.settled = tally_.since(sent_);
      sent_ = tally_;
      asked_ = false;
      send(now);
    } else if (now - looked_ >= kLookEvery) {
      if (!report_.path.empty() || !report_.reversals.empty()) send(now);
      break;
    } else if (!report_.path.empty()) {
      send(now);
    }
  }
  busy_ += now - begun;
  return now;
}

Cut SimulatedWorker::cut() {
  Cut cut;
  const auto nearest = owed_.begin();
  for (; floor_ <= nearest->first; ++floor_) cut.states.push_back({done_[floor_], taken(floor_), {}});
  for (const Run r : nearest->second) cut.states.back().owed.push_back({step(r, tree_->place(r)), {}});
  owes_ -= nearest->second.size();
  owed_.erase(nearest);
  return cut;
}

void SimulatedWorker::send(Nanoseconds& now) {
  now += send_cost_;
  report_.unsettled = tally_.since(sent_);
  send_(now, report_);
  const Report last = std::exchange(report_, {});
  if (last.finished) return;
  report_.id = last.id;
  report_.order = last.order;
}

}  // namespace heddle::simulation

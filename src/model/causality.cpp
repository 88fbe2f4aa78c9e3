// The pass over a run: clocks, and for each operation what it follows. What that is depends on the object: causality_memory, causality_locks,
// causality_queues, causality_meetings, each with what an operation follows or might have overtaken (relate) and what the object
// keeps of it for those to come (remember). causality_races decides which of these pairs are reversible.
#include "model/causality.h"

#include <algorithm>

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using namespace wire::dependency;
using wire::kAnyAlternative;
using wire::OpClass;

void Causality::prepare(const Trace& trace) {
  trace_ = &trace;
  const std::size_t n = trace.events.size();
  stride_ = 1;
  for (const Event& e : trace.events) stride_ = std::max<std::size_t>(stride_, e.thread + 1u);
  for (const Pending& p : trace.pending) stride_ = std::max<std::size_t>(stride_, p.thread + 1u);
  clocks_.resize((n + trace.pending.size()) * stride_);
  positions_.resize(n);
  youngest_.resize(n);
  of_thread_.resize(wire::kMaxThreads);
  for (std::size_t t = 0; t < stride_; ++t) of_thread_[t].clear();
  before_.resize(n);
  release_.resize(n);
  last_of_.assign(wire::kMaxThreads, kNoEvent);
  created_by_.assign(wire::kMaxThreads, kNoEvent);
  woken_by_.assign(wire::kMaxThreads, kNoEvent);
  saved_depth_.assign(wire::kMaxThreads, 1);
  asked_ = {};
  writes_.clear();
  anywhere_awaits_.clear();
  required_.resize(stride_);
  objects_.begin_run();
}

void Causality::analyse(const Trace& trace, std::size_t new_from, std::size_t unchanged) {
  const std::size_t stride_before = stride_;
  prepare(trace);
  new_from_ = new_from;
  forget_races(0);
  visit_all(stride_ == stride_before ? unchanged : 0);
}

void Causality::analyse_all(const Trace& trace, std::size_t unchanged) {
  const std::size_t stride_before = stride_;
  prepare(trace);
  if (stride_ != stride_before) unchanged = 0;
  new_from_ = unchanged;
  forget_races(unchanged);
  visit_all(unchanged);
}

// Those whose second half is this event or a later one. Races are in the order of their second halves.
void Causality::forget_races(std::size_t from) {
  const auto first = std::find_if(races_.begin(), races_.end(), [&](const Race& r) { return r.second >= from; });
  removed_.resize(first == races_.begin() ? 0 : std::prev(first)->removed_end);
  races_.erase(first, races_.end());
}

void Causality::visit_all(std::size_t unchanged) {
  const Trace& trace = *trace_;
  std::uint32_t i = 0;
  for (; i < unchanged; ++i) visit_again(i);
  for (; i < trace.events.size(); ++i) visit(i);
  for (std::uint32_t k = 0; k < trace.pending.size(); ++k) visit_pending(k);
  const bool ends = ends_by_last_event(trace);
  for (Race& race : races_) race.then_end = ends && ends_other_order(race);
}

void Causality::visit(std::uint32_t i) {
  const Event& e = trace_->events[i];
  const OpView v = view_of(e);
  now_ = i;
  begin_operation(v);
  relate(v);
  by_objects_ = candidates_.size();
  Row c = row(i);
  join_past(c);
  const std::uint32_t previous = last_of_[e.thread];
  positions_[i] = previous == kNoEvent ? 1 : positions_[previous] + 1;
  c[e.thread] = positions_[i];
  youngest_[i] = latest_of_past();
  of_thread_[e.thread].push_back(i);
  if (i + 1 == trace_->events.size() && ends_by_last_event(*trace_)) end_the_run(i);
  if (i >= new_from_) {
    collect(i, v);
    collect_alternatives(i);
  }
  remember(i);
}

void Causality::visit_again(std::uint32_t i) {
  of_thread_[trace_->events[i].thread].push_back(i);
  remember(i);
}

void Causality::join_past(Row clock) const {
  std::copy(required_.begin(), required_.end(), clock);
  for (std::uint32_t p : past_)
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], clocks_[p * stride_ + t]);
}

// What is latest in the past of an operation is one of those that it follows directly.
std::uint32_t Causality::latest_of_past() const {
  std::uint32_t latest = latest_required_;
  for (std::uint32_t p : past_)
    if (latest == kNoEvent || p > latest) latest = p;
  return latest;
}

std::uint32_t Causality::next_of(std::uint8_t thread, std::uint32_t from) const {
  if (thread >= stride_) return kNoEvent;
  const std::vector<std::uint32_t>& events = of_thread_[thread];
  const auto it = std::lower_bound(events.begin(), events.end(), from);
  return it == events.end() ? kNoEvent : *it;
}

void Causality::first_steps(const Race& race, std::vector<std::uint32_t>& steps) const {
  steps.clear();
  for (std::size_t t = 0; t < stride_; ++t) {
    const std::uint32_t i = next_of(static_cast<std::uint8_t>(t), race.first + 1);
    if (i != kNoEvent && i < race.second && kept(race, i)) steps.push_back(i);
  }
  std::sort(steps.begin(), steps.end());
}

// The operation an unfinished thread was left with. One that was possible had its chance, unless the run was ended under it: then it could have come before that end.
// One that only the event which ended the run made possible (a lock given back) never had any.
void Causality::visit_pending(std::uint32_t k) {
  const Pending& p = trace_->pending[k];
  const auto last = static_cast<std::uint32_t>(size()) - 1;
  const bool was_cut_off = p.enabled && ends_by_last_event(*trace_) && trace_->events[last].enabled.has(p.thread);
  OpView v = view_of(p);
  if (resumes(v.op)) v.alternative = woken_by_[p.thread] != kNoEvent ? 0 : 1;
  now_ = static_cast<std::uint32_t>(size()) + k;
  begin_operation(v);
  if (was_cut_off) candidates_.push_back(last);
  else relate(v);
  by_objects_ = candidates_.size();
  join_past(row(now_));
  const std::size_t from = races_.size();
  collect(now_, v);
  for (std::size_t r = from; r < races_.size(); ++r) races_[r].pending_enabled = p.enabled && trace_->end == wire::End::SleepBlocked;
  const bool was_woken_by_end = resumes(v.op) && woken_by_[p.thread] == last;
  if (was_cut_off && races_.size() > from && !was_woken_by_end && !wire::conflict(view_of(trace_->events[last]), v)) name_alternatives(p.alternatives);
}

// The end of the run did not change what the operation of the last race can do: one race for each.
void Causality::name_alternatives(const AlternativeSet& alternatives) {
  const Race any = races_.back();
  races_.pop_back();
  for (int a = alternatives.next(); a >= 0; a = alternatives.next(a + 1)) {
    races_.push_back(any);
    races_.back().choice.alternative = races_.back().operation.alternative = static_cast<std::uint8_t>(a);
  }
}

void Causality::begin_operation(const OpView& v) {
  past_.clear();
  candidates_.clear();
  const std::uint32_t previous = last_of_[v.thread];
  const std::uint32_t from = previous != kNoEvent ? previous : created_by_[v.thread];
  latest_required_ = from;
  if (from == kNoEvent) std::fill(required_.begin(), required_.end(), 0);
  else std::copy_n(row(from), stride_, required_.begin());
}

void Causality::needs(std::uint32_t e) {
  if (e == kNoEvent) return;
  if (latest_required_ == kNoEvent || e > latest_required_) latest_required_ = e;
  for (std::size_t t = 0; t < stride_; ++t) required_[t] = std::max(required_[t], clocks_[e * stride_ + t]);
}

void Causality::relate(const OpView& v) {
  if (asked_.has(v.thread))  // what was not possible cannot have been asked about too early; but it does come after the question
    objects_.at(OpClass::Thread, v.thread).tries.each([&](std::uint32_t e) { now_ < size() ? races_with(e) : follows(e); });
  switch (wire::op_class(v.op)) {
    case OpClass::Memory: return role_of(v) == kMemWrite ? relate_write(v) : relate_read(v, v.object, bytes(v));
    case OpClass::Mutex: return relate_mutex(v.thread, role_of(v), v.object);
    case OpClass::Rwlock: return relate_rwlock(v);
    case OpClass::Cond:
    case OpClass::Futex: return resumes(v.op) ? relate_resume(v) : relate_queue(v);
    case OpClass::Semaphore: return relate_semaphore(v);
    case OpClass::Barrier: return relate_barrier(v);
    case OpClass::Once: return relate_once(v);
    case OpClass::Thread: return relate_thread(v);
    case OpClass::Choice:
    case OpClass::Process: return;
  }
}

void Causality::remember(std::uint32_t i) {
  const Event& e = trace_->events[i];
  before_[i] = release_[i] = kNoEvent;
  last_of_[e.thread] = i;
  switch (wire::op_class(e.op)) {
    case OpClass::Memory: return remember_memory(i);
    case OpClass::Mutex: return remember_mutex(i, role_of(view_of(e)), e.object);
    case OpClass::Rwlock: return remember_rwlock(i);
    case OpClass::Cond:
    case OpClass::Futex: return remember_queue(i);
    case OpClass::Semaphore: return remember_semaphore(i);
    case OpClass::Barrier: return remember_barrier(i);
    case OpClass::Once: return remember_once(i);
    case OpClass::Thread: return remember_thread(i);
    case OpClass::Choice:
    case OpClass::Process: return;
  }
}

// Nothing of other threads may be moved across: all that happened is in its past, and each thread's last event might have been late.
void Causality::end_the_run(std::uint32_t i) {
  Row c = row(i);
  end_needs_.assign(c, c + stride_);
  const std::uint8_t self = trace_->events[i].thread;
  for (std::size_t t = 0; t < stride_; ++t) {
    const std::uint32_t e = last_of_[t];
    if (e == kNoEvent || t == self || in(c, e)) continue;
    candidates_.push_back(e);
  }
  for (std::size_t t = 0; t < stride_; ++t)
    if (last_of_[t] != kNoEvent && t != self) c[t] = positions_[last_of_[t]];
  if (i > 0) youngest_[i] = i - 1;
}

bool Causality::ends_other_order(const Race& race) const {
  const auto last = static_cast<std::uint32_t>(size() - 1);
  if (race.choice.alternative == kAnyAlternative) return false;  // nor is it known what the end would meet there
  if (race.second == last || wire::conflict(view_of(trace_->events[last]), race.operation)) return false;
  const auto gone = removed(race);
  return std::none_of(gone.begin(), gone.end(), [&](std::uint32_t k) {
    return k != last && end_needs_[trace_->events[k].thread] >= positions_[k];
  });
}

}  // namespace heddle

#include "model/causality.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

using namespace wire::dependency;
using wire::kAnyAlternative;
using wire::OpClass;

namespace {

std::uint8_t role_of(const OpView& v) { return wire::dependency::row_of(v); }

// A queue (condition variable, futex) that the operation enters, leaves or wakes.
bool wakes(Op op) { return op == Op::CondSignal || op == Op::CondBroadcast || op == Op::FutexWake; }
bool enters(Op op) { return op == Op::CondWait || op == Op::FutexWait; }
bool resumes(Op op) { return op == Op::CondResume || op == Op::FutexResume; }

// A try-join of v's thread.
bool asks_about(const Event& e, const OpView& v) { return e.op == Op::ThreadTryJoin && wire::index_of(e.object) == v.thread; }

std::uint32_t bytes(const OpView& v) { return v.size ? v.size : (v.op == Op::FutexWait ? 4 : 1); }

}  // namespace

void Causality::prepare(const Trace& trace) {
  trace_ = &trace;
  const std::size_t n = trace.events.size();
  stride_ = 1;
  for (const Event& e : trace.events) stride_ = std::max<std::size_t>(stride_, e.thread + 1u);
  for (const Pending& p : trace.pending) stride_ = std::max<std::size_t>(stride_, p.thread + 1u);
  clocks_.resize((n + trace.pending.size()) * stride_);
  positions_.resize(n);
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
  races_.clear();
  removed_.clear();
  objects_.begin_run();
}

void Causality::analyse(const Trace& trace, std::size_t new_from) {
  prepare(trace);
  new_from_ = new_from;
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) visit(i);
  for (std::uint32_t k = 0; k < trace.pending.size(); ++k) visit_pending(k);
  if (!ends_by_last_event(trace)) return;
  for (Race& race : races_) race.then_end = ends_other_order(race);
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
  if (i + 1 == trace_->events.size() && ends_by_last_event(*trace_)) end_the_run(i);
  if (i >= new_from_) {
    collect(i, v);
    collect_alternatives(i);
  }
  remember(i);
}

void Causality::join_past(Row clock) const {
  std::copy(required_.begin(), required_.end(), clock);
  for (std::uint32_t p : past_)
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], clocks_[p * stride_ + t]);
}

// The operation an unfinished thread was left with. One that was possible had its chance, unless the run was ended under it.
void Causality::visit_pending(std::uint32_t k) {
  const Pending& p = trace_->pending[k];
  OpView v = view_of(p);
  if (resumes(v.op)) v.alternative = woken_by_[p.thread] != kNoEvent ? 0 : 1;
  now_ = static_cast<std::uint32_t>(size()) + k;
  begin_operation(v);
  if (!p.enabled || !ends_by_last_event(*trace_)) {
    relate(v);
  } else {
    const auto last = static_cast<std::uint32_t>(size() - 1);
    if (trace_->events[last].enabled.has(p.thread)) candidates_.push_back(last);
  }
  by_objects_ = candidates_.size();
  join_past(row(now_));
  const std::size_t from = races_.size();
  collect(now_, v);
  for (std::size_t r = from; r < races_.size(); ++r) races_[r].pending_enabled = p.enabled && trace_->end == wire::End::SleepBlocked;
  const bool was_cut_off = p.enabled && ends_by_last_event(*trace_) && races_.size() > from;
  if (was_cut_off && !wire::conflict(view_of(trace_->events.back()), v)) name_alternatives(p.alternatives);
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
  if (from == kNoEvent) std::fill(required_.begin(), required_.end(), 0);
  else std::copy_n(row(from), stride_, required_.begin());
}

void Causality::needs(std::uint32_t e) {
  if (e == kNoEvent) return;
  for (std::size_t t = 0; t < stride_; ++t) required_[t] = std::max(required_[t], clocks_[e * stride_ + t]);
}

// ---------------------------------------------------------------------------------------------------------------------
// What an operation follows, and what it might have overtaken.

void Causality::relate(const OpView& v) {
  if (asked_.has(v.thread) && now_ < size())  // what is not possible anyhow cannot have been asked about too early
    objects_.at(OpClass::Thread, v.thread).tries.each([&](std::uint32_t e) { races_with(e); });
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

void Causality::relate_read(const OpView& v, Address at, std::uint32_t n) {
  if (v.op == Op::Await && v.object == 0) return writes_.each([&](std::uint32_t e) { races_with(e); });
  const std::uint32_t o = objects_.find(OpClass::Memory, at, n);
  for (std::size_t k = 0; k < objects_[o].overlapping.size(); ++k) races_with(objects_[objects_[o].overlapping[k]].last);
}

void Causality::relate_write(const OpView& v) {
  const std::uint32_t o = objects_.find(OpClass::Memory, v.object, bytes(v));
  for (std::size_t k = 0; k < objects_[o].overlapping.size(); ++k) {
    const ObjectHistory& other = objects_[objects_[o].overlapping[k]];
    races_with(other.last);
    other.shared.each([&](std::uint32_t e) { races_with(e); });
  }
  anywhere_awaits_.each([&](std::uint32_t e) { races_with(e); });
}

void Causality::relate_mutex(std::uint8_t thread, std::uint8_t role, Address mutex) {
  const ObjectHistory& m = objects_.at(OpClass::Mutex, mutex);
  if (m.last == kNoEvent) return;
  if (role == kMutexGive && m.owner != thread) return;  // misuse, whatever the others do
  const OpView last = mutex_side(view_of(trace_->events[m.last]));
  follows(m.last);
  if (role == kMutexTake && m.owner != thread) {
    // Never the unlock before, which could not have waited: the acquisition that made the unlock necessary.
    const bool reset = role_of(last) == kMutexReset;
    if (reset || m.acquire != kNoEvent) candidates_.push_back(reset ? m.last : m.acquire);
  } else if (kMutex.at(role, role_of(last)) == wire::Relation::Conflict) {
    candidates_.push_back(m.last);
  }
}

bool Causality::holds(const ObjectHistory& rwlock, std::uint8_t thread) const {
  bool reads = false;
  rwlock.readers.each([&](std::uint32_t e) { reads = reads || (trace_->events[e].thread == thread && release_[e] == kNoEvent); });
  return reads || rwlock.owner == thread;
}

void Causality::relate_rwlock(const OpView& v) {
  const ObjectHistory& l = objects_.at(OpClass::Rwlock, v.object);
  const std::uint8_t role = role_of(v);
  auto follow = [&](std::uint32_t e) { follows(e); };
  auto race = [&](std::uint32_t e) { races_with(e); };
  const bool last_gives = l.last != kNoEvent && trace_->events[l.last].op == Op::RwUnlock;
  switch (role) {
    case kRwTakeRead:
      follows(l.last);
      if (l.owner != wire::kNoThread || last_gives) races_with(l.acquire);
      else races_with(l.last);
      return;
    case kRwTryRead:
      races_with(l.last);
      l.gives.each(race);
      return;
    case kRwTakeWrite:
      follows(l.last);
      l.shared.each(follow);
      l.tries.each(follow);
      l.gives.each(follow);
      l.readers.each(race);
      races_with(l.acquire);
      if (l.last != kNoEvent && role_of(view_of(trace_->events[l.last])) == kRwReset) races_with(l.last);
      return;
    case kRwGive:
      if (!holds(l, v.thread)) return;  // misuse, whatever the others do
      follows(l.last);
      l.tries.each(race);
      if (l.owner == v.thread) l.shared.each(follow);
      if (l.last != kNoEvent && role_of(view_of(trace_->events[l.last])) == kRwTryWrite) races_with(l.last);
      return;
    default:  // Reset, TryWrite
      races_with(l.last);
      l.shared.each(race);
      l.tries.each(race);
      l.gives.each(race);
  }
}

void Causality::relate_queue(const OpView& v) {
  const ObjectHistory& q = objects_.at(wire::op_class(v.op), v.object);
  races_with(q.last);
  if (!enters(v.op)) {
    q.shared.each([&](std::uint32_t e) { races_with(e); });
    q.tries.each([&](std::uint32_t e) { races_with(e); });
    return;
  }
  if (v.op == Op::CondWait) relate_mutex(v.thread, kMutexGive, v.argument);
  else relate_read(v, v.object, bytes(v));
}

void Causality::relate_resume(const OpView& v) {
  const bool may_leave_by_itself = v.size != 0 || now_ < size();  // it has, unless it was woken
  const std::uint32_t waker = woken_by_[v.thread];
  if (v.alternative == 0) {
    if (v.size != 0) races_with(waker);
    else needs(waker);
  } else if (!may_leave_by_itself) {
    return;  // whom nobody wakes overtakes nobody
  } else {
    races_with(objects_.at(wire::op_class(v.op), v.object).last);
  }
  if (v.op == Op::CondResume) relate_mutex(v.thread, kMutexTake, v.argument);
}

void Causality::relate_semaphore(const OpView& v) {
  const ObjectHistory& s = objects_.at(OpClass::Semaphore, v.object);
  const std::uint8_t role = role_of(v);
  races_with(s.last);
  if (role != kSemGive) s.shared.each([&](std::uint32_t e) { races_with(e); });
  if (role != kSemLook) s.tries.each([&](std::uint32_t e) { races_with(e); });
  // An attempt that failed cannot be overtaken by a wait, but whoever emptied the semaphore can.
  if (v.op == Op::SemWait && s.acquire != s.last) races_with(s.acquire);
}

void Causality::relate_barrier(const OpView& v) {
  std::uint32_t e = objects_.at(OpClass::Barrier, v.object).last;
  if (v.op != Op::BarrierResume) return races_with(e);
  // The arrival that completed the round: later ones, of the next round, found this thread free to go.
  while (e != kNoEvent && trace_->events[e].thread != v.thread && trace_->events[e].enabled.has(v.thread)) e = before_[e];
  needs(e);
}

void Causality::relate_once(const OpView& v) {
  const ObjectHistory& o = objects_.at(OpClass::Once, v.object);
  follows(o.last);
  if (o.last == kNoEvent || v.op == Op::OnceEnd) return;
  candidates_.push_back(trace_->events[o.last].op == Op::OnceEnd ? o.acquire : o.last);
}

void Causality::relate_thread(const OpView& v) {
  const std::uint32_t other = wire::index_of(v.object);
  if (v.op == Op::ThreadCreate || other >= wire::kMaxThreads) return;
  const std::uint32_t last = last_of_[other] != kNoEvent ? last_of_[other] : created_by_[other];
  if (v.op == Op::ThreadJoin) return needs(last);
  if (last_of_[other] == kNoEvent) needs(last);
  else races_with(last);
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

// ---------------------------------------------------------------------------------------------------------------------
// Bringing the histories up to date.

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
    case OpClass::Barrier: {
      if (e.op == Op::BarrierResume) return;
      ObjectHistory& b = objects_.at(OpClass::Barrier, e.object);
      before_[i] = b.last;
      b.last = i;
      return;
    }
    case OpClass::Once: {
      ObjectHistory& o = objects_.at(OpClass::Once, e.object);
      if (e.op == Op::OnceBegin && e.outcome == 1) o.acquire = i;
      o.last = i;
      return;
    }
    case OpClass::Thread:
      if (wire::index_of(e.object) >= wire::kMaxThreads) return;
      if (e.op == Op::ThreadCreate) created_by_[wire::index_of(e.object)] = i;
      if (e.op == Op::ThreadTryJoin) {
        asked_.add(static_cast<int>(wire::index_of(e.object)));
        objects_.at(OpClass::Thread, wire::index_of(e.object)).tries.put(i, e.thread);
      }
      return;
    case OpClass::Choice:
    case OpClass::Process: return;
  }
}

void Causality::remember_memory(std::uint32_t i) {
  const Event& e = trace_->events[i];
  const OpView v = view_of(e);
  if (e.op == Op::Await && e.object == 0) return anywhere_awaits_.put(i, e.thread);
  ObjectHistory& o = objects_.at(OpClass::Memory, e.object, bytes(v));
  if (e.op == Op::FutexWait || role_of(v) == kMemRead) return o.shared.put(i, e.thread);
  o.last = i;
  o.shared.clear();
  writes_.put(i, e.thread);
}

void Causality::remember_mutex(std::uint32_t i, std::uint8_t role, Address mutex) {
  const Event& e = trace_->events[i];
  ObjectHistory& m = objects_.at(OpClass::Mutex, mutex);
  m.last = i;
  if (takes_mutex(e)) {
    if (m.owner == e.thread) {
      ++m.depth;
      return;
    }
    m.owner = e.thread;
    m.depth = e.op == Op::CondResume ? saved_depth_[e.thread] : 1;
    before_[i] = m.acquire;
    m.acquire = i;
  } else if (role == kMutexGive && m.owner == e.thread && (e.op == Op::CondWait || e.outcome == 0)) {
    if (e.op == Op::CondWait) saved_depth_[e.thread] = m.depth;
    else if (--m.depth > 0) return;
    m.owner = wire::kNoThread;
    release_[m.acquire] = i;
  } else if (role == kMutexReset) {
    m.owner = wire::kNoThread;
    m.acquire = kNoEvent;
  }
}

void Causality::remember_rwlock(std::uint32_t i) {
  const Event& e = trace_->events[i];
  ObjectHistory& l = objects_.at(OpClass::Rwlock, e.object);
  const std::uint8_t role = role_of(view_of(e));
  const bool attempt = e.op == Op::RwTryReadLock || e.op == Op::RwTryWriteLock;
  const bool taken = attempt ? e.outcome == 1 : e.alternative == 0;
  auto writer_side = [&] {
    l.last = i;
    l.shared.clear();
    l.tries.clear();
    l.gives.clear();
  };
  switch (role) {
    case kRwTakeRead:
    case kRwTryRead:
      (role == kRwTakeRead ? l.shared : l.tries).put(i, e.thread);
      if (!taken) return;
      before_[i] = l.newest;
      l.newest = i;
      l.readers.put(i, e.thread);
      return;
    case kRwTakeWrite:
    case kRwTryWrite:
      writer_side();
      if (!taken) return;
      before_[i] = l.newest;
      l.newest = l.acquire = i;
      l.owner = e.thread;
      l.readers.clear();
      return;
    case kRwGive:
      if (l.owner == e.thread) {
        release_[l.acquire] = i;
        l.owner = wire::kNoThread;
        return writer_side();
      }
      l.gives.put(i, e.thread);
      l.readers.each([&](std::uint32_t r) {
        if (trace_->events[r].thread == e.thread && release_[r] == kNoEvent) release_[r] = i;
      });
      return;
    default:
      writer_side();
  }
}

void Causality::remember_queue(std::uint32_t i) {
  const Event& e = trace_->events[i];
  ObjectHistory& q = objects_.at(wire::op_class(e.op), e.object);
  if (wakes(e.op)) {
    const bool everybody = e.op == Op::CondBroadcast || (e.op == Op::FutexWake && e.outcome != 1);
    for (int t = q.queue.next(); t >= 0; t = q.queue.next(t + 1)) {
      if (!everybody && t != e.alternative) continue;
      q.queue.remove(t);
      woken_by_[static_cast<std::size_t>(t)] = i;
    }
    q.last = i;
    q.shared.clear();
    q.tries.clear();
    return;
  }
  if (enters(e.op)) {
    q.shared.put(i, e.thread);
    if (e.op == Op::CondWait || e.outcome == 1) {
      q.queue.add(e.thread);
      woken_by_[e.thread] = kNoEvent;
    }
    if (e.op == Op::CondWait) remember_mutex(i, kMutexGive, e.argument);
    else remember_memory(i);
    return;
  }
  if (resumes(e.op)) {
    q.queue.remove(e.thread);
    if (e.alternative != 0) q.tries.put(i, e.thread);
    if (e.op == Op::CondResume) remember_mutex(i, kMutexTake, e.argument);
    return;
  }
  q.last = i;  // Reset
  q.shared.clear();
  q.tries.clear();
}

void Causality::remember_semaphore(std::uint32_t i) {
  const Event& e = trace_->events[i];
  ObjectHistory& s = objects_.at(OpClass::Semaphore, e.object);
  switch (role_of(view_of(e))) {
    case kSemGive: return s.shared.put(i, e.thread);
    case kSemLook: return s.tries.put(i, e.thread);
    default:
      s.last = i;
      if (e.op == Op::SemInit || e.outcome == 1) s.acquire = i;
      s.shared.clear();
      s.tries.clear();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Which candidates are races that could have gone the other way.

void Causality::collect(std::uint32_t second, const OpView& v) {
  reversible_.clear();
  pool_.clear();
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const std::uint32_t e = candidates_[k];
    if (trace_->events[e].thread == v.thread || in(required_.data(), e) || !possible_without(e, v)) continue;
    const auto begin = static_cast<std::uint32_t>(pool_.size());
    pool_.insert(pool_.end(), removing_.begin(), removing_.end());
    reversible_.push_back({e, begin, static_cast<std::uint32_t>(pool_.size()), k < by_objects_});
  }
  for (std::size_t k = 0; k < reversible_.size(); ++k) {
    if (overtaken(k)) continue;
    removing_.assign(pool_.begin() + reversible_[k].begin, pool_.begin() + reversible_[k].end);
    // Past an event that it depends on, an operation may come to something else and need not end the run.
    const bool changes = reversible_[k].by_objects;
    const std::uint8_t alternative = !has_alternatives(v.op) ? 0 : changes ? kAnyAlternative : v.alternative;
    add_race(second, v, {v.thread, alternative}).fatal = !changes;
  }
}

// Only immediate races count: others show up once those after them have been reversed.
bool Causality::overtaken(std::size_t k) const {
  for (std::size_t other = 0; other < reversible_.size(); ++other) {
    const bool same = reversible_[other].event == reversible_[k].event;
    if (same ? other < k : before(reversible_[k].event, reversible_[other].event)) return true;
  }
  return false;
}

// The alternatives not taken conflict with the one that was.
void Causality::collect_alternatives(std::uint32_t i) {
  const Event& e = trace_->events[i];
  if (e.alternatives.count() < 2) return;
  for (int a = e.alternatives.next(); a >= 0; a = e.alternatives.next(a + 1)) {
    if (a == e.alternative) continue;
    OpView v = view_of(e);
    v.alternative = static_cast<std::uint8_t>(a);
    removing_.assign(1, i);
    add_race(i, v, {e.thread, v.alternative}).alternative = true;
  }
}

Race& Causality::add_race(std::uint32_t second, const OpView& v, Choice choice) {
  Race r;
  r.first = *std::min_element(removing_.begin(), removing_.end());
  r.second = second;
  r.operation = choice.alternative == kAnyAlternative ? in_other_order(v) : v;
  r.operation.outcome = OpView::kUnknownOutcome;
  r.choice = choice;
  r.removed_begin = static_cast<std::uint32_t>(removed_.size());
  removed_.insert(removed_.end(), removing_.begin(), removing_.end());
  r.removed_end = static_cast<std::uint32_t>(removed_.size());
  return races_.emplace_back(r);
}

// A resume whose waker is among what is removed leaves by itself; other alternatives show when the operation is reached.
OpView Causality::in_other_order(const OpView& v) const {
  OpView other = v;
  other.outcome = OpView::kUnknownOutcome;
  other.alternative = kAnyAlternative;
  if (!resumes(v.op)) return other;
  const std::uint32_t waker = woken_by_[v.thread];
  other.alternative = waker != kNoEvent && stays(waker, *std::min_element(removing_.begin(), removing_.end())) ? 0 : 1;
  return other;
}

bool Causality::stays(std::uint32_t e, std::uint32_t first) const {
  if (e < first) return true;
  return std::none_of(removing_.begin(), removing_.end(), [&](std::uint32_t k) { return before(k, e); });
}

bool Causality::possible_without(std::uint32_t e, const OpView& v) {
  removing_.assign(1, e);
  const Event& other = trace_->events[e];
  switch (v.op) {
    case Op::SemWait: return other.object == v.object ? semaphore_open_without(e, v) : !asks_about(other, v) || other.enabled.has(v.thread);
    case Op::OnceBegin: return !asks_about(other, v) || other.enabled.has(v.thread);
    case Op::MutexLock: return lock_free_without(v.object, OpClass::Mutex, v);
    case Op::RwReadLock:
    case Op::RwWriteLock: return lock_free_without(v.object, OpClass::Rwlock, v);
    case Op::CondResume: return lock_free_without(v.argument, OpClass::Mutex, v);
    // The thread read the location before it began to wait, so that it was waiting already when the other event came.
    case Op::Await: return !wire::conflict(view_of(other), v) || other.enabled.has(v.thread);
    default: return true;
  }
}

// The event says how many units were there before it; posts that it did not cause are there as well.
bool Causality::semaphore_open_without(std::uint32_t e, const OpView& v) {
  const Event& other = trace_->events[e];
  if (wire::op_class(other.op) != OpClass::Semaphore) return true;
  if (other.size > 0 || other.op == Op::SemInit || other.op == Op::SemDestroy) return true;
  const std::uint32_t previous = last_of_[v.thread];
  if (other.enabled.has(v.thread) && (previous == kNoEvent || previous < e)) return true;  // it stood there and could have gone on
  if (other.op != Op::SemPost) return other.outcome == 1 && other.op != Op::SemGetValue;
  bool posted = false;
  objects_.at(OpClass::Semaphore, v.object).shared.each([&](std::uint32_t p) {
    posted = posted || (p > e && !before(e, p));
  });
  return posted;
}

// Whoever would still hold the lock must not have taken it either; that fails if the operation cannot do without them.
bool Causality::lock_free_without(Address lock, OpClass cls, const OpView& v) {
  for (;;) {
    const std::uint32_t holder = holder_without(objects_.at(cls, lock), v);
    if (holder == kNoEvent) return true;
    if (in(required_.data(), holder)) return false;
    removing_.push_back(holder);
  }
}

// An acquisition that happens although removing_ does not, whose release does not, and that v cannot share.
std::uint32_t Causality::holder_without(const ObjectHistory& lock, const OpView& v) const {
  const std::uint32_t first = *std::min_element(removing_.begin(), removing_.end());
  const bool is_mutex = lock.cls == OpClass::Mutex;
  for (std::uint32_t a = is_mutex ? lock.acquire : lock.newest; a != kNoEvent; a = before_[a]) {
    if (!stays(a, first)) continue;
    const std::uint8_t role = role_of(view_of(trace_->events[a]));
    const bool alone = is_mutex || role == kRwTakeWrite || role == kRwTryWrite;
    const bool relocks = is_mutex && trace_->events[a].thread == v.thread;  // an error or a count, but no wait
    const bool in_the_way = (alone || v.op == Op::RwWriteLock) && !relocks;
    if (in_the_way && (release_[a] == kNoEvent || !stays(release_[a], first))) return a;
    if (alone) break;  // it was alone: whatever came before has been released
  }
  return kNoEvent;
}

}  // namespace heddle

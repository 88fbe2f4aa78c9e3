// Causality of mutexes and rwlocks. A lock follows the unlock that let it in, but what it might have overtaken is the acquisition before: an
// unlock cannot wait. The mutex side of condition variables comes through here too.
#include "model/causality.h"

#include <algorithm>

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using namespace wire::dependency;
using wire::OpClass;

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

#include "explore/reduction/standing.h"

namespace heddle {

bool Standing::is_alone(int thread) const {
  for (int t = begun_.next(); t >= 0; t = begun_.next(t + 1))
    if (t != thread && !joined_.has(t)) return false;
  return true;
}

int Standing::holder_of(LockSet lock, bool exclusively) const {
  for (std::size_t t = 0; t < held_.size(); ++t)
    if ((exclusively ? held_[t].exclusive : held_[t].any()) & lock) return static_cast<int>(t);
  return -1;
}

void Standing::hold(int thread, LockSet lock, bool exclusively) {
  if (held_.size() <= static_cast<std::size_t>(thread)) held_.resize(static_cast<std::size_t>(thread) + 1);
  Holding& h = held_[static_cast<std::size_t>(thread)];
  (exclusively ? h.exclusive : h.shared) |= lock;
}

void Standing::release(int thread, LockSet lock) {
  if (static_cast<std::size_t>(thread) >= held_.size()) return;
  held_[static_cast<std::size_t>(thread)].shared &= ~lock;
  held_[static_cast<std::size_t>(thread)].exclusive &= ~lock;
}

LockSet Standings::bit_of(Address lock) {
  const auto [it, is_new] = bits_.emplace(lock, 0);
  if (is_new && bits_.size() <= 64) it->second = LockSet{1} << (bits_.size() - 1);
  return it->second;
}

void Standings::advance(Standing& standing, const OpView& v, std::uint8_t outcome, std::uint8_t alternative) {
  standing.begins(v.thread);
  switch (v.op) {
    case Op::MutexLock: case Op::MutexTimedLock:
      if (outcome == 0 && alternative == 0) standing.hold(v.thread, bit_of(v.object), true);
      break;
    case Op::MutexTryLock: case Op::RwTryWriteLock:
      if (outcome == 1) standing.hold(v.thread, bit_of(v.object), true);
      break;
    case Op::RwWriteLock: case Op::RwTimedWriteLock:
      if (outcome == 0) standing.hold(v.thread, bit_of(v.object), true);
      break;
    case Op::RwReadLock: case Op::RwTimedReadLock:
      if (outcome == 0) standing.hold(v.thread, bit_of(v.object), false);
      break;
    case Op::RwTryReadLock:
      if (outcome == 1) standing.hold(v.thread, bit_of(v.object), false);
      break;
    case Op::MutexUnlock: case Op::RwUnlock: standing.release(v.thread, bit_of(v.object)); break;
    case Op::CondWait: standing.release(v.thread, bit_of(v.argument)); break;
    case Op::CondResume: standing.hold(v.thread, bit_of(v.argument), true); break;
    case Op::MutexInit: case Op::RwInit:
      for (std::size_t t = 0; t < standing.held_.size(); ++t) standing.release(static_cast<int>(t), bit_of(v.object));
      break;
    case Op::ThreadCreate:
      standing.begins(static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads);
      standing.joined_.remove(static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads);  // a number may be given again
      break;
    case Op::ThreadJoin: standing.joined_.add(static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads); break;
    default: break;
  }
}

}  // namespace heddle

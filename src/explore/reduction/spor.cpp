#include "explore/reduction/spor.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

bool is_about_memory(Op op) { return wire::op_class(op) == wire::OpClass::Memory || wire::op_class(op) == wire::OpClass::Futex; }

}  // namespace

bool Spor::is_safe(const OpView& v) const {
  if (!safe_sets_ || ends_matter_) return false;
  switch (v.op) {
    case Op::ThreadCreate: case Op::ThreadJoin: case Op::BarrierResume: case Op::OnceEnd: case Op::Choose: return true;
    case Op::Read: case Op::Write: case Op::AtomicLoad: case Op::AtomicStore: case Op::AtomicRmw: case Op::AtomicCas: return protection_.is_protected(v);
    default: return false;
  }
}

// What is seen for the first time. Answers what it breaks.
Spor::Assumptions Spor::note(LabelId label, const Holding& held, bool alone) {
  const OpView& v = labels()[label].operation;
  if (v.op == Op::ThreadCreate) return note_creation(v) ? kOneCreator : 0;
  if (v.op == Op::ThreadTryJoin) return std::exchange(ends_matter_, true) ? 0 : kExitsComeLast;
  if (alone) return 0;
  if (v.op == Op::MutexInit || v.op == Op::RwInit) return protection_.distrust(standings_.bit_of(v.object)) ? kLocksHold : 0;
  if (!safe_sets_ || !is_about_memory(v.op) || v.object == 0 || v.size == 0) return 0;
  if (noted_.size() <= label) noted_.resize(label + 1);
  if (noted_[label] == held) return 0;
  noted_[label] = held;
  return protection_.note(v, held) ? kMemoryProtected : 0;
}

void Spor::give_up(Assumptions broken) {
  if ((used_ & broken) != 0) start_over();
}

bool Spor::note_creation(const OpView& v) {
  const std::size_t created = wire::index_of(v.object) % wire::kMaxThreads;
  if (creators_.size() <= created) creators_.resize(created + 1, wire::kNoThread);
  std::uint8_t& creator = creators_[created];
  if (creator == v.thread || created_by_several_.has(static_cast<int>(created))) return false;
  const bool is_second = creator != wire::kNoThread;
  creator = is_second ? wire::kNoThread : v.thread;
  if (is_second) created_by_several_.add(static_cast<int>(created));
  return is_second;
}

Spor::Assumptions Spor::note_next(std::size_t i, std::size_t thread) {
  const Standing& s = standing_[i];
  return note(node(i).next[thread], s.of(static_cast<int>(thread)), s.is_alone(static_cast<int>(thread)));
}

// How the threads stand after the path's step to node i.
void Spor::follow(std::size_t i) {
  if (standing_.size() <= i) standing_.resize(i + 1);
  if (i == 0) standing_[0] = {};
  if (i > 0) {
    standing_[i] = standing_[i - 1];
    standings_.advance(standing_[i], labels()[label_of(i - 1)].operation, node(i - 1).outcome, node(i - 1).taken.alternative);
  }
  for (std::size_t t = 0; t < node(i).next.size(); ++t)
    if (node(i).next[t] != kNoLabel) standing_[i].begins(static_cast<int>(t));
}

// An exit of whoever has not waited for all others to end. That they have ended in this run says nothing: their last steps may
// have been invisible ones that came first for that reason only.
bool Spor::may_exit_early(std::size_t i) {
  const std::vector<LabelId>& next = node(i).next;
  const auto exit = std::find_if(next.begin(), next.end(), [&](LabelId l) { return l != kNoLabel && labels()[l].operation.op == Op::Exit; });
  if (exit == next.end()) return false;
  poll().ask(i);
  ThreadSet awaited;
  awaited.add(static_cast<int>(exit - next.begin()));
  for (std::size_t k = 0; k < i; ++k)
    if (const OpView& v = labels()[label_of(k)].operation; v.op == Op::ThreadJoin) awaited.add(static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads);
  return awaited.count() < static_cast<int>(next.size());
}

// Whoever has not moved is about to do what it was, with the same locks.
void Spor::entered(std::size_t i) {
  follow(i);
  Assumptions broken = 0;
  if (!ends_matter_ && may_exit_early(i)) ends_matter_ = true, broken = kExitsComeLast;
  const std::vector<LabelId>& next = node(i).next;
  for (std::size_t t = 0; t < next.size(); ++t) {
    const bool has_moved = i == 0 || t == node(i - 1).taken.thread || t >= node(i - 1).next.size() || next[t] != node(i - 1).next[t];
    if (has_moved && next[t] != kNoLabel) broken |= note_next(i, t);
  }
  give_up(broken);
}

// A run that ended may leave its last thread about to do something in a state that is never entered. Nothing is known of its locks.
void Spor::took(std::size_t i, LabelId, const Arrival& arrival) {
  if (arrival.kind != Arrival::Lost) return;
  Assumptions broken = 0;
  for (std::size_t t = 0; t < arrival.next->size(); ++t) {
    const LabelId label = (*arrival.next)[t];
    const bool is_new = t >= node(i).next.size() || label != node(i).next[t];
    if (label != kNoLabel && is_new) broken |= note(label, {}, false);
  }
  give_up(broken);
}

bool Spor::may_come_either_way(LabelId a, LabelId b) {
  if (!labels().conflict(a, b)) return false;
  if (ends_matter_ || (labels()[a].operation.op != Op::Exit && labels()[b].operation.op != Op::Exit)) return true;
  used_ |= kExitsComeLast;
  return false;
}

int Spor::who_must_move(std::size_t i, int thread) {
  const ThreadSet& enabled = node(i).enabled;
  for (std::size_t steps = 0; thread >= 0 && !enabled.has(thread); ++steps) {
    if (steps > node(i).next.size()) return -1;  // they wait for each other
    thread = waits_for(i, thread);
    used_ |= kOneCreator | kLocksHold;
  }
  return thread;
}

// REQUIRES a thread that is not enabled. What it waits for can only come about by a step of the thread answered.
int Spor::waits_for(std::size_t i, int thread) {
  const std::vector<LabelId>& next = node(i).next;
  const LabelId label = static_cast<std::size_t>(thread) < next.size() ? next[static_cast<std::size_t>(thread)] : kNoLabel;
  if (label == kNoLabel) return creator_of(i, thread);
  const OpView& v = labels()[label].operation;
  const bool is_wait = v.op == Op::CondResume;
  const LockSet lock = standings_.bit_of(is_wait ? v.argument : v.object);
  switch (v.op) {
    case Op::ThreadJoin: return static_cast<int>(wire::index_of(v.object)) % wire::kMaxThreads;
    case Op::MutexLock: case Op::RwReadLock: case Op::CondResume: return protection_.trusts(lock) ? standing_[i].holder_of(lock, true) : -1;
    case Op::RwWriteLock: return protection_.trusts(lock) ? standing_[i].holder_of(lock, false) : -1;
    default: return -1;
  }
}

int Spor::creator_of(std::size_t i, int thread) const {
  if (standing_[i].has_begun(thread) || static_cast<std::size_t>(thread) >= creators_.size()) return -1;
  const std::uint8_t creator = creators_[static_cast<std::size_t>(thread)];
  return creator == wire::kNoThread ? -1 : creator;
}

// One that is done already, if there is any.
ThreadSet Spor::safe_set(std::size_t i) const {
  const Node& n = node(i);
  int safe = -1;
  for (int t = n.enabled.next(); t >= 0; t = n.enabled.next(t + 1))
    if (is_safe(labels()[n.next[static_cast<std::size_t>(t)]].operation) && (safe < 0 || !n.done.has(safe))) safe = t;
  if (safe < 0) return n.enabled;
  ThreadSet alone;
  alone.add(safe);
  return alone;
}

ThreadSet Spor::take_safe_set(std::size_t i) {
  if (is_reducible(i)) used_ |= kExitsComeLast | kLocksHold | kMemoryProtected;
  return safe_set(i);
}

}  // namespace heddle

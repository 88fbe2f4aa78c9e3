// When the order of two operations matters: one table over all kinds, shared by the explorer and the runtime.
//
// Freestanding: no standard library, everything constexpr. A kind that is missing from the roles below, or a role without a
// row and a column in its class's matrix, does not compile.
//
// Three answers, because partial order reduction asks two questions:
//   Independent  swapping neighbours changes nothing, and neither can enable or disable the other
//   Conflict     both may be possible at once, and their order matters: a reversible pair
//   Enables      their order is fixed by the object (an unlock before the lock that it lets in): they are ordered, and where
//                both are possible at once they commute
//
// The relation looks at kinds, objects and alternatives, and at one outcome: a compare-exchange that failed only reads. It still
// fails after operations that it does not depend on, so that a sleep set may keep it as long as it may keep a read. One whose
// outcome is not known counts as a write. A failed trylock stays an attempt that somebody may have changed.
#pragma once
#include "wire/wire.h"

namespace heddle::wire {

// An operation, done or still pending, as far as its order matters.
struct OpView {
  static constexpr uint8_t kUnknownOutcome = wire::kUnknownOutcome;
  uint8_t thread = 0;
  Op op = Op::Read;
  uint8_t outcome = kUnknownOutcome;
  uint32_t size = 0;
  Address object = 0;
  Address argument = 0;
  uint8_t alternative = kAnyAlternative;
};

enum class Relation : uint8_t { Independent, Conflict, Enables };

namespace dependency {

// What an operation is to its object. Roles of one class are numbered from 0 in the order of the class's matrix.
struct Role {
  OpClass cls;
  uint8_t row;
};

#define HEDDLE_ROLE(kind, cls, row) inline constexpr Role k##kind{OpClass::cls, row};
enum : uint8_t { kMemRead, kMemWrite, kMemRows };
HEDDLE_ROLE(Read, Memory, kMemRead)
HEDDLE_ROLE(Write, Memory, kMemWrite)
HEDDLE_ROLE(AtomicLoad, Memory, kMemRead)
HEDDLE_ROLE(AtomicStore, Memory, kMemWrite)
HEDDLE_ROLE(AtomicRmw, Memory, kMemWrite)
HEDDLE_ROLE(AtomicCas, Memory, kMemWrite)
HEDDLE_ROLE(StateRead, Memory, kMemRead)
HEDDLE_ROLE(StateWrite, Memory, kMemWrite)
HEDDLE_ROLE(Await, Memory, kMemRead)
enum : uint8_t { kMutexReset, kMutexTake, kMutexTry, kMutexGive, kMutexRows };
HEDDLE_ROLE(MutexInit, Mutex, kMutexReset)
HEDDLE_ROLE(MutexDestroy, Mutex, kMutexReset)
HEDDLE_ROLE(MutexLock, Mutex, kMutexTake)
HEDDLE_ROLE(MutexTryLock, Mutex, kMutexTry)
HEDDLE_ROLE(MutexTimedLock, Mutex, kMutexTry)  // never blocks: it takes what is free and gives up on what is not
HEDDLE_ROLE(MutexUnlock, Mutex, kMutexGive)
enum : uint8_t { kRwReset, kRwTakeRead, kRwTakeWrite, kRwTryRead, kRwTryWrite, kRwGive, kRwRows };
HEDDLE_ROLE(RwInit, Rwlock, kRwReset)
HEDDLE_ROLE(RwDestroy, Rwlock, kRwReset)
HEDDLE_ROLE(RwReadLock, Rwlock, kRwTakeRead)
HEDDLE_ROLE(RwTryReadLock, Rwlock, kRwTryRead)
HEDDLE_ROLE(RwTimedReadLock, Rwlock, kRwTryRead)
HEDDLE_ROLE(RwWriteLock, Rwlock, kRwTakeWrite)
HEDDLE_ROLE(RwTryWriteLock, Rwlock, kRwTryWrite)
HEDDLE_ROLE(RwTimedWriteLock, Rwlock, kRwTryWrite)
HEDDLE_ROLE(RwUnlock, Rwlock, kRwGive)
enum : uint8_t { kCondReset, kCondWait_, kCondWoken, kCondLeaves, kCondWakes, kCondRows };
HEDDLE_ROLE(CondInit, Cond, kCondReset)
HEDDLE_ROLE(CondDestroy, Cond, kCondReset)
HEDDLE_ROLE(CondWait, Cond, kCondWait_)
HEDDLE_ROLE(CondResume, Cond, kCondLeaves)  // kCondWoken with alternative 0, see row_of
HEDDLE_ROLE(CondSignal, Cond, kCondWakes)
HEDDLE_ROLE(CondBroadcast, Cond, kCondWakes)
enum : uint8_t { kSemReset, kSemTake, kSemGive, kSemLook, kSemRows };
HEDDLE_ROLE(SemInit, Semaphore, kSemReset)
HEDDLE_ROLE(SemDestroy, Semaphore, kSemReset)
HEDDLE_ROLE(SemWait, Semaphore, kSemTake)
HEDDLE_ROLE(SemTryWait, Semaphore, kSemTake)
HEDDLE_ROLE(SemTimedWait, Semaphore, kSemTake)
HEDDLE_ROLE(SemPost, Semaphore, kSemGive)
HEDDLE_ROLE(SemGetValue, Semaphore, kSemLook)
enum : uint8_t { kBarrierReset, kBarrierArrive, kBarrierLeave, kBarrierRows };
HEDDLE_ROLE(BarrierInit, Barrier, kBarrierReset)
HEDDLE_ROLE(BarrierDestroy, Barrier, kBarrierReset)
HEDDLE_ROLE(BarrierWait, Barrier, kBarrierArrive)
HEDDLE_ROLE(BarrierResume, Barrier, kBarrierLeave)
enum : uint8_t { kOnceStart, kOnceStop, kOnceRows };
HEDDLE_ROLE(OnceBegin, Once, kOnceStart)
HEDDLE_ROLE(OnceEnd, Once, kOnceStop)
enum : uint8_t { kFutexQueue, kFutexWoken, kFutexLeaves, kFutexWakes, kFutexRows };
HEDDLE_ROLE(FutexWait, Futex, kFutexQueue)
HEDDLE_ROLE(FutexResume, Futex, kFutexLeaves)  // kFutexWoken with alternative 0
HEDDLE_ROLE(FutexWake, Futex, kFutexWakes)
enum : uint8_t { kThreadStart, kThreadEnd, kThreadAsk, kThreadRows };
HEDDLE_ROLE(ThreadCreate, Thread, kThreadStart)
HEDDLE_ROLE(ThreadJoin, Thread, kThreadEnd)
HEDDLE_ROLE(ThreadTryJoin, Thread, kThreadAsk)
HEDDLE_ROLE(Choose, Choice, 0)
HEDDLE_ROLE(Exit, Process, 0)
#undef HEDDLE_ROLE

inline constexpr Role kRoles[] = {
#define X(name, text, cls) k##name,
#include "operations.def"
#undef X
};
constexpr bool roles_match_classes() {
  for (int i = 0; i < kOpCount; ++i)
    if (kRoles[i].cls != op_class(static_cast<Op>(i))) return false;
  return true;
}
static_assert(roles_match_classes(), "a kind's role belongs to another class than operations.def says");

// Symmetric matrices, rows and columns in the order of the enums above, lower triangle with diagonal: each class's length is
// checked, so that a new role needs an answer for every pair.
using enum Relation;
inline constexpr Relation I = Independent, C = Conflict, N = Enables;
template <int rows>
struct Matrix {
  Relation cell[rows * (rows + 1) / 2];
  constexpr Relation at(int a, int b) const { return a >= b ? cell[a * (a + 1) / 2 + b] : cell[b * (b + 1) / 2 + a]; }
};
template <class... R>
constexpr auto filled(R... r) {  // every cell given, none defaulted
  struct Cells { Relation cell[sizeof...(R)]; };
  return Cells{{r...}};
}
template <int rows, class Cells>
constexpr Matrix<rows> matrix(Cells cells) {
  static_assert(sizeof(cells.cell) == rows * (rows + 1) / 2, "a pair of roles has no relation");
  Matrix<rows> m{};
  for (unsigned i = 0; i < sizeof(cells.cell); ++i) m.cell[i] = cells.cell[i];
  return m;
}

inline constexpr auto kMemory = matrix<kMemRows>(filled(  // byte ranges that overlap
    I,        // Read
    C, C));   // Write
inline constexpr auto kMutex = matrix<kMutexRows>(filled(
    C,                // Reset
    C, C,             // Take
    C, C, C,          // Try
    C, N, C, C));     // Give: a lock waits for the unlock, a trylock sees whether it has happened
inline constexpr auto kRwlock = matrix<kRwRows>(filled(
    C,                      // Reset
    C, I,                   // TakeRead
    C, C, C,                // TakeWrite
    C, I, C, I,             // TryRead
    C, C, C, C, C,          // TryWrite
    C, N, N, C, C, I));     // Give: unlocks that are possible at once are those of readers
inline constexpr auto kCond = matrix<kCondRows>(filled(
    C,                // Reset
    C, I,             // Wait: the queue is a set, a signal may pick anybody
    I, I, I,          // Woken: already out of the queue
    C, I, I, I,       // Leaves by time-out or spuriously: nobody can signal it any more
    C, C, N, C, C));  // Wakes
inline constexpr auto kSemaphore = matrix<kSemRows>(filled(
    C,              // Reset
    C, C,           // Take
    C, C, I,        // Give
    C, C, C, I));   // Look
inline constexpr auto kBarrier = matrix<kBarrierRows>(filled(
    C,           // Reset
    C, C,        // Arrive: the last one is told that it was
    I, N, I));   // Leave: possible at once only with arrivals of the next round
inline constexpr auto kOnce = matrix<kOnceRows>(filled(
    C,       // Start
    N, C));  // Stop
inline constexpr auto kFutex = matrix<kFutexRows>(filled(
    I,             // Queue
    I, I,          // Woken
    I, I, I,       // Leaves
    C, N, C, C));  // Wakes

constexpr uint8_t row_of(const OpView& v) {
  if (v.op == Op::CondResume && v.alternative == 0) return kCondWoken;
  if (v.op == Op::FutexResume && v.alternative == 0) return kFutexWoken;
  if (v.op == Op::AtomicCas && (v.outcome == 0 || v.alternative == 1)) return kMemRead;  // failed, or fails for no reason
  return kRoles[static_cast<int>(v.op)].row;
}

constexpr Relation within_class(OpClass cls, const OpView& a, const OpView& b) {
  switch (cls) {
    case OpClass::Memory: return kMemory.at(row_of(a), row_of(b));
    case OpClass::Mutex: return kMutex.at(row_of(a), row_of(b));
    case OpClass::Rwlock: return kRwlock.at(row_of(a), row_of(b));
    case OpClass::Cond: return kCond.at(row_of(a), row_of(b));
    case OpClass::Semaphore: return kSemaphore.at(row_of(a), row_of(b));
    case OpClass::Barrier: return kBarrier.at(row_of(a), row_of(b));
    case OpClass::Once: return kOnce.at(row_of(a), row_of(b));
    case OpClass::Futex: return kFutex.at(row_of(a), row_of(b));
    case OpClass::Thread:
    case OpClass::Choice:
    case OpClass::Process: return Independent;  // not about an object: see relation()
  }
  return Conflict;
}

// An Await without an object waits for any change of memory.
constexpr bool same_bytes(const OpView& a, const OpView& b) {
  if ((a.op == Op::Await && a.object == 0) || (b.op == Op::Await && b.object == 0)) return true;
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

constexpr bool same_object(OpClass cls, const OpView& a, const OpView& b) {
  return cls == OpClass::Memory ? same_bytes(a, b) : a.object == b.object;
}

// What a condition variable's operation does to the mutex: waiting unlocks it, resuming locks it.
constexpr bool has_mutex_side(const OpView& v) { return v.op == Op::CondWait || v.op == Op::CondResume; }
constexpr OpView mutex_side(const OpView& v) {
  if (!has_mutex_side(v)) return v;
  return {v.thread, v.op == Op::CondWait ? Op::MutexUnlock : Op::MutexLock, OpView::kUnknownOutcome, 0, v.argument, 0, 0};
}

// A futex wait also reads its word.
constexpr OpView memory_side(const OpView& v) {
  if (v.op != Op::FutexWait) return v;
  return {v.thread, Op::AtomicLoad, OpView::kUnknownOutcome, v.size ? v.size : 4, v.object, 0, 0};
}

constexpr Relation stronger(Relation a, Relation b) {
  if (a == Conflict || b == Conflict) return Conflict;
  return a == Enables || b == Enables ? Enables : Independent;
}

constexpr Relation on_objects(const OpView& a, const OpView& b) {
  const OpClass cls = op_class(a.op);
  if (cls != op_class(b.op) || !same_object(cls, a, b)) return Independent;
  return within_class(cls, a, b);
}

constexpr bool names_thread(const OpView& v, uint8_t thread) {
  return op_class(v.op) == OpClass::Thread && index_of(v.object) == thread;
}

// A creation comes before, a join after everything of the thread it names; a try-join may find it unfinished.
constexpr Relation on_threads(const OpView& a, const OpView& b) {
  const bool a_names_b = names_thread(a, b.thread), b_names_a = names_thread(b, a.thread);
  if (!a_names_b && !b_names_a) return Independent;
  if ((a_names_b && a.op == Op::ThreadTryJoin) || (b_names_a && b.op == Op::ThreadTryJoin)) return Conflict;
  return Enables;
}

// Operations of these classes are about one object and nothing else.
constexpr bool is_about_one_object(OpClass cls) {
  switch (cls) {
    case OpClass::Memory: case OpClass::Mutex: case OpClass::Rwlock: case OpClass::Semaphore: case OpClass::Barrier:
    case OpClass::Once: return true;
    case OpClass::Cond: case OpClass::Futex: case OpClass::Thread: case OpClass::Choice: case OpClass::Process: return false;
  }
  return false;
}

}  // namespace dependency

constexpr Relation relation(const OpView& a, const OpView& b) {
  using namespace dependency;
  if (a.thread == b.thread || a.op == Op::Exit || b.op == Op::Exit) return Conflict;
  if (is_about_one_object(op_class(a.op)) && is_about_one_object(op_class(b.op))) return on_objects(a, b);
  Relation r = stronger(on_objects(a, b), on_threads(a, b));
  if (has_mutex_side(a) || has_mutex_side(b)) r = stronger(r, on_objects(mutex_side(a), mutex_side(b)));
  if (a.op == Op::FutexWait || b.op == Op::FutexWait) r = stronger(r, on_objects(memory_side(a), memory_side(b)));
  return r;
}

// Ordered in every execution that has both: the happens-before edges.
constexpr bool dependent(const OpView& a, const OpView& b) { return relation(a, b) != Relation::Independent; }

// Could both be possible in one state and still depend on each other?
constexpr bool may_be_co_enabled(const OpView& a, const OpView& b) { return relation(a, b) != Relation::Enables; }

// Of two operations that are both possible now: does doing one change the other? What wakes a sleeping operation.
constexpr bool conflict(const OpView& a, const OpView& b) { return relation(a, b) == Relation::Conflict; }

}  // namespace heddle::wire

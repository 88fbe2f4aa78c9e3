// Events and pending operations as the dependency relation sees them.
#pragma once
#include "model/trace.h"
#include "wire/dependency.h"

namespace heddle {

using wire::OpView;

inline OpView view_of(const Event& e) { return {e.thread, e.op, e.outcome, e.size, e.object, e.argument, e.alternative}; }

inline OpView view_of(const Pending& p) {
  return {p.thread, p.op, OpView::kUnknownOutcome, p.size, p.object, p.argument, wire::kAnyAlternative};
}

// Did this event get hold of the mutex it asked for? (A condition variable's resume always does.)
inline bool takes_mutex(const Event& e) {
  switch (e.op) {
    case Op::MutexLock: return e.outcome == 0;
    case Op::MutexTryLock: return e.outcome == 1;
    case Op::MutexTimedLock: return e.outcome == 0;
    case Op::CondResume: return true;
    default: return false;
  }
}

// Kinds that do not always have the one alternative 0.
inline bool has_alternatives(Op op) {
  switch (op) {
    case Op::AtomicCas: case Op::MutexTimedLock: case Op::RwTimedReadLock: case Op::RwTimedWriteLock: case Op::CondResume:
    case Op::CondSignal: case Op::SemTimedWait: case Op::FutexResume: case Op::FutexWake: case Op::ThreadTryJoin: case Op::Choose:
      return true;
    default: return false;
  }
}

// The run ended by its last event although threads could have gone on: nothing may be moved across that event.
inline bool ends_by_last_event(const Trace& trace) {
  if (trace.events.empty()) return false;
  if (trace.end == wire::End::Stopped || trace.end == wire::End::Died || trace.end == wire::End::Hung ||
      trace.end == wire::End::OutOfMemory)
    return true;
  return trace.end == wire::End::Completed && (!trace.pending.empty() || trace.events.back().op == Op::Exit);
}

// REQUIRES that it may write memory.
inline bool changed_memory(const Event& e) { return e.outcome == 1; }

}  // namespace heddle

// Events and pending operations as the dependency relation sees them.
#pragma once
#include "model/trace.h"
#include "wire/dependency.h"

namespace heddle {

using wire::OpView;

// Of these `argument` is a value (wire.h), and a raw pointer perhaps: not the same from process to process.
inline bool tells_value(Op op) {
  return op == Op::Write || op == Op::AtomicStore || op == Op::AtomicRmw || op == Op::AtomicCas;
}
inline Address second_object(const Event& e) { return tells_value(e.op) ? 0 : e.argument; }
inline Address second_object(const Pending& p) { return tells_value(p.op) ? 0 : p.argument; }

inline OpView view_of(const Event& e) {
  return {e.thread, e.op, e.outcome, e.size, e.object, second_object(e), e.alternative};
}

inline OpView view_of(const Pending& p) {
  return {p.thread, p.op, OpView::kUnknownOutcome, p.size, p.object, second_object(p), wire::kAnyAlternative};
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

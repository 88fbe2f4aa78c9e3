// Small questions about operations that all parts of causality ask. Private to causality*.cpp.
#pragma once
#include "model/views.h"

namespace heddle::causality_roles {

inline std::uint8_t role_of(const OpView& v) { return wire::dependency::row_of(v); }

// A queue (condition variable, futex) that the operation enters, leaves or wakes.
inline bool wakes(Op op) { return op == Op::CondSignal || op == Op::CondBroadcast || op == Op::FutexWake; }
inline bool enters(Op op) { return op == Op::CondWait || op == Op::FutexWait; }
inline bool resumes(Op op) { return op == Op::CondResume || op == Op::FutexResume; }

// A try-join of v's thread.
inline bool asks_about(const Event& e, const OpView& v) { return e.op == Op::ThreadTryJoin && wire::index_of(e.object) == v.thread; }

inline std::uint32_t bytes(const OpView& v) { return v.size ? v.size : (v.op == Op::FutexWait ? 4 : 1); }

}  // namespace heddle::causality_roles

// Causality of semaphores. Posts commute with each other; everything else looks at the count.
#include "model/causality.h"

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using namespace wire::dependency;
using wire::OpClass;

void Causality::relate_semaphore(const OpView& v) {
  const ObjectHistory& s = objects_.at(OpClass::Semaphore, v.object);
  const std::uint8_t role = role_of(v);
  races_with(s.last);
  if (role != kSemGive) s.shared.each([&](std::uint32_t e) { races_with(e); });
  if (role != kSemLook) s.tries.each([&](std::uint32_t e) { races_with(e); });
  // An attempt that failed cannot be overtaken by a wait, but whoever emptied the semaphore can.
  if (v.op == Op::SemWait && s.acquire != s.last) races_with(s.acquire);
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

}  // namespace heddle

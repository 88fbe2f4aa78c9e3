// Causality of what threads meet at: barriers, once-flags, and each other's beginning and end.
#include "model/causality.h"

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using wire::OpClass;

void Causality::relate_barrier(const OpView& v) {
  std::uint32_t e = objects_.at(OpClass::Barrier, v.object).last;
  if (v.op != Op::BarrierResume) return races_with(e);
  // The arrival that completed the round: later ones, of the next round, found this thread free to go.
  while (e != kNoEvent && trace_->events[e].thread != v.thread && trace_->events[e].enabled.has(v.thread)) e = before_[e];
  needs(e);
}

void Causality::remember_barrier(std::uint32_t i) {
  const Event& e = trace_->events[i];
  if (e.op == Op::BarrierResume) return;
  ObjectHistory& b = objects_.at(OpClass::Barrier, e.object);
  before_[i] = b.last;
  b.last = i;
}

void Causality::relate_once(const OpView& v) {
  const ObjectHistory& o = objects_.at(OpClass::Once, v.object);
  follows(o.last);
  if (o.last == kNoEvent || v.op == Op::OnceEnd) return;
  candidates_.push_back(trace_->events[o.last].op == Op::OnceEnd ? o.acquire : o.last);
}

void Causality::remember_once(std::uint32_t i) {
  const Event& e = trace_->events[i];
  ObjectHistory& o = objects_.at(OpClass::Once, e.object);
  if (e.op == Op::OnceBegin && e.outcome == 1) {
    before_[i] = o.acquire;
    o.acquire = i;
  }
  if (e.op == Op::OnceEnd && o.acquire != kNoEvent) release_[o.acquire] = i;
  o.last = i;
}

// Of those who begin and are not removed, the last one decides whether the initialiser is still under way.
bool Causality::once_idle_without(std::uint32_t e, const OpView& v) {
  for (std::uint32_t begin = objects_.at(OpClass::Once, v.object).acquire; begin != kNoEvent; begin = before_[begin])
    if (stays(begin, e)) return release_[begin] != kNoEvent && stays(release_[begin], e);
  return true;
}

void Causality::relate_thread(const OpView& v) {
  const std::uint32_t other = wire::index_of(v.object);
  if (v.op == Op::ThreadCreate || other >= wire::kMaxThreads) return;
  const std::uint32_t last = last_of_[other] != kNoEvent ? last_of_[other] : created_by_[other];
  if (v.op == Op::ThreadJoin) return needs(last);
  if (last_of_[other] == kNoEvent) needs(last);
  else races_with(last);
}

void Causality::remember_thread(std::uint32_t i) {
  const Event& e = trace_->events[i];
  const std::uint32_t other = wire::index_of(e.object);
  if (other >= wire::kMaxThreads) return;
  if (e.op == Op::ThreadCreate) created_by_[other] = i;
  if (e.op == Op::ThreadTryJoin) {
    asked_.add(static_cast<int>(other));
    objects_.at(OpClass::Thread, other).tries.put(i, e.thread);
  }
}

}  // namespace heddle

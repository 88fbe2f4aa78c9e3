#include "explore/reduction/spor.h"

namespace heddle {

bool Spor::is_safe(Op op) const {
  if (asks_for_ends_) return false;
  switch (op) {
    case Op::ThreadCreate: case Op::ThreadJoin: case Op::BarrierResume: case Op::OnceEnd: case Op::Choose: return true;
    default: return false;
  }
}

void Spor::entered(std::size_t i) {
  if (asks_for_ends_) return;
  for (LabelId l : node(i).next)
    if (l != kNoLabel && labels()[l].operation.op == Op::ThreadTryJoin) asks_for_ends_ = true;
  if (asks_for_ends_ && used_) start_over();
}

// One that is done already, if there is any.
ThreadSet Spor::safe_set(std::size_t i) {
  const Node& n = node(i);
  int safe = -1;
  for (int t = n.enabled.next(); t >= 0; t = n.enabled.next(t + 1))
    if (is_safe(labels()[n.next[static_cast<std::size_t>(t)]].operation.op) && (safe < 0 || !n.done.has(safe))) safe = t;
  if (safe < 0) return n.enabled;
  used_ = true;
  ThreadSet alone;
  alone.add(safe);
  return alone;
}

}  // namespace heddle

// From a thread to the scheduler and back: where a thread waits for its turn.
//
// This and whatever lies between it and the program's call of a hook is compiled not to use the registers that a callee must keep
// (CMakeLists.txt), so that heddle_switch saves the program's own. state.cpp relies on it.
#include "runtime/pieces.h"
#include "runtime/runtime.h"
#include "runtime/turns.h"

namespace heddle::rt {
namespace {

uint64_t sp_here() {
  uint64_t sp;
  asm volatile("movq %%rsp, %0" : "=r"(sp));
  return sp;
}

// An operation that nobody can see (private_objects.cpp) is no scheduling point, and nothing is ordered by it. False: it has to wait.
bool perform_in_private(Thread& t) {
  AlternativeSet a = enabled_alternatives(t);
  if (a.empty()) return false;
  R().has_event = 0;
  perform(t, (uint8_t)a.next());
  clock_clear(t.pending.object->clock);
  R().ask_all_again = 1;
  return true;
}

}  // namespace

uint8_t announce(const PendingOp& op) {
  settle_if_owed();
  Runtime& r = R();
  Thread& t = *r.current;
  t.pending = op;
  t.pending.site = op.pc;
  t.frames_low = 0;
  t.announced_at = sp_here();
  if (!op.name) t.pending.name = op.object ? op.object->name : op.address ? name_of(op.address) : 0;
  if (heddle_mode == Mode::PreMain) {
    AlternativeSet a = enabled_alternatives(t);
    if (a.empty() || op.op == Op::ThreadCreate) unsupported(wire::op_text(op.op), op.pc, "before main has started");
    perform(t, (uint8_t)a.next());
    return t.outcome;
  }
  if (HEDDLE_UNLIKELY(op.object && op.object->is_private) && perform_in_private(t)) return t.outcome;
  if (HEDDLE_UNLIKELY(!instrumented(op.pc))) t.pending.pc = place_in_program(sp_here(), op.pc);
  end_turn(t);
  return t.outcome;
}

}  // namespace heddle::rt

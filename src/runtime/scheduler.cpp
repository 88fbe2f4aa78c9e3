// Who moves next: replay of the prefix, sleep sets, and the policies.
#include "runtime/lifetimes.h"
#include "runtime/runtime.h"
#include "runtime/timeouts.h"
#include "runtime/told_value.h"
#include "runtime/policy.h"
#include "runtime/turns.h"
#include "wire/dependency.h"

namespace heddle::rt {
namespace {

using wire::Choice;
using wire::kNoThread;

const wire::SleepEntry* sleep_entries() {
  const auto* bytes = reinterpret_cast<const unsigned char*>(R().prefix);
  return reinterpret_cast<const wire::SleepEntry*>(bytes + wire::round_up_8(R().request->prefix_length * sizeof(Choice)));
}

void look_at(int thread) {
  Offer& o = R().enabled;
  o.alternatives[thread] = enabled_alternatives(R().threads[thread]);
  if (o.alternatives[thread].empty()) o.threads.remove(thread);
  else o.threads.add(thread);
}

void look_at_all(const ThreadSet& threads) {
  for (int i = threads.next(); i >= 0; i = threads.next(i + 1)) look_at(i);
}

// `t` has another next operation than before, or none. Most are possible at any time: they need not be looked at again.
void sort_in(const Thread& t) {
  Runtime& r = R();
  if (r.askers.has(t.slot)) r.asked[t.slot]->askers.remove(t.slot);
  r.askers.remove(t.slot);
  r.bound.remove(t.slot);
  r.enabled.threads.remove(t.slot);
  if (t.state != ThreadState::Live) return;
  if (depends_on_its_lock(t.pending.op)) {
    r.askers.add(t.slot);
    r.asked[t.slot] = t.pending.object;
    t.pending.object->askers.add(t.slot);
  } else if (depends_on_others(t.pending)) {
    return r.bound.add(t.slot);
  }
  look_at(t.slot);
}

void look_around() {
  Runtime& r = R();
  look_at_all(r.bound);
  if (!r.ask_all_again) return;
  r.ask_all_again = 0;
  look_at_all(r.askers);
}

void go_on(Thread& t) {
  run_thread(t);
  sort_in(t);
}

void fall_asleep() {
  Offer& s = R().asleep;
  s.threads = {};
  const wire::SleepEntry* e = sleep_entries();
  for (uint32_t i = 0; i < R().request->sleep_length; ++i) {
    if (e[i].thread >= kMaxThreads) continue;
    s.threads.add(e[i].thread);
    s.alternatives[e[i].thread] = e[i].alternatives;
  }
}

// What `thread` may choose from: enabled and not asleep.
AlternativeSet awake(int thread) {
  AlternativeSet a = R().enabled.alternatives[thread];
  if (R().asleep.threads.has(thread)) {
    a.word[0] &= ~R().asleep.alternatives[thread].word[0];
    a.word[1] &= ~R().asleep.alternatives[thread].word[1];
  }
  return a;
}

// How the sleeper's operation would come out, as far as that says what it depends on. What has just been done at these bytes shows
// that they can be read; if it was a read, they are as they were before.
uint8_t outcome_beside(const wire::Event& done, const PendingOp& sleeper) {
  const bool is_exchange = sleeper.op == Op::AtomicCas && done.object == sleeper.name && done.size == sleeper.size;
  if (!is_exchange || !is_told(sleeper.size)) return wire::kUnknownOutcome;
  return value_at(sleeper.address, sleeper.size) == expected_by(sleeper);
}

void wake_conflicting(const wire::Event& e) {
  Offer& s = R().asleep;
  s.threads.remove(e.thread);
  if (s.threads.empty()) return;
  wire::OpView done{e.thread, e.op, e.outcome, e.size, e.object, e.argument, e.alternative};
  for (int q = s.threads.next(); q >= 0; q = s.threads.next(q + 1)) {
    wire::OpView sleeper = view_of(R().threads[q]);
    if (wire::op_class(e.op) == wire::OpClass::Memory) sleeper.outcome = outcome_beside(e, R().threads[q].pending);
    if (s.alternatives[q].count() == 1) sleeper.alternative = (uint8_t)s.alternatives[q].next();
    if (R().threads[q].state != ThreadState::Live || wire::conflict(done, sleeper)) s.threads.remove(q);
  }
}

bool follow_prefix(Choice& choice) {
  choice = R().prefix[R().steps];
  if (choice.thread >= kMaxThreads || !R().enabled.threads.has(choice.thread)) return false;
  const AlternativeSet& a = R().enabled.alternatives[choice.thread];
  if (choice.alternative == wire::kAnyAlternative) choice.alternative = (uint8_t)a.next();
  return choice.alternative < wire::kMaxAlternatives && a.has(choice.alternative);
}

bool choose(Choice& choice) {
  const ThreadSet& enabled = R().enabled.threads;
  if (R().asleep.threads.empty()) return choice = pick(R().enabled), true;
  Offer& c = R().candidates;
  c.threads = {};
  for (int i = enabled.next(); i >= 0; i = enabled.next(i + 1)) {
    c.alternatives[i] = awake(i);
    if (!c.alternatives[i].empty()) c.threads.add(i);
  }
  if (c.threads.empty()) return false;
  choice = pick(c);
  return true;
}

wire::Event& record(const Thread& t, Choice choice) {
  Runtime& r = R();
  wire::Event& e = r.events[r.steps];
  const PendingOp& p = t.pending;
  e.thread = t.slot;
  e.op = p.op;
  e.alternative = choice.alternative;
  e.outcome = 0;
  e.size = size_of(p);
  e.object = p.name;
  e.argument = argument_of(p);
  e.pc = name_of(p.pc);
  e.enabled = R().enabled.threads;
  e.alternatives = R().enabled.alternatives[t.slot];
  if (r.detail) add_stack(wire::StackRecord::OfEvent, t, r.steps, p.pc);
  return e;
}

// An operation on a lock in the heap reads the memory that the lock lies in: freeing it must be ordered with that, and come
// after it. The way out of a wait does not: whoever was woken last may free the condition variable or the barrier. So with a lock
// that lies on the stack of another thread.
void touch(const Object* o, const Thread& t) {
  if (!o || !(layout::in_heap(o->address) || is_of_other_stack(o->address))) return;
  load_epoch();
  atomic_access(o->address, 1, false, t.pending.pc);
}

void touch_objects(const Thread& t) {
  const PendingOp& p = t.pending;
  switch (wire::op_class(p.op)) {
    case wire::OpClass::Mutex:
    case wire::OpClass::Rwlock:
    case wire::OpClass::Semaphore: return touch(p.object, t);
    case wire::OpClass::Cond:
      touch(p.second, t);
      if (p.op != Op::CondResume) touch(p.object, t);
      return;
    case wire::OpClass::Barrier:
      if (p.op != Op::BarrierResume) touch(p.object, t);
      return;
    default: return;
  }
}

void step(Choice choice) {
  Runtime& r = R();
  Thread& t = r.threads[choice.thread];
  wire::Event& e = record(t, choice);
  r.last_thread = t.slot;
  ++r.steps;
  r.has_event = 1;
  __atomic_store_n(&r.segment->heartbeat, r.segment->heartbeat + 1, __ATOMIC_RELAXED);
  r.current = &t;
  touch_objects(t);
  if (captures()) {
    if (t.pending.object) touch_object(*t.pending.object);
    if (t.pending.second) touch_object(*t.pending.second);
  }
  const Object* objects[] = {t.pending.object, t.pending.second};
  perform(t, choice.alternative);
  e.outcome = t.outcome;
  if (e.op == Op::ThreadCreate) go_on(r.threads[t.pending.argument]);
  if (e.op == Op::Await) sort_in(t);  // the operation that it put off is next
  else go_on(t);
  for (const Object* o : objects)
    if (o) look_at_all(o->askers);
  if (r.steps > r.request->prefix_length) wake_conflicting(e);
  else if (r.steps == r.request->prefix_length) fall_asleep();
}

void finish(wire::End end) {
  if (R().ended) return;
  R().ended = 1;
  R().end = end;
}

}  // namespace

wire::OpView view_of(const Thread& t) {
  return {t.slot, t.pending.op, wire::OpView::kUnknownOutcome, size_of(t.pending), t.pending.name,
          argument_of(t.pending), wire::kAnyAlternative};
}

void end_run(wire::End end) {
  finish(end);
  if (R().in_runtime) __builtin_longjmp(R().run_exit, 1);
  if (HEDDLE_UNLIKELY(R().real_threads) && end == wire::End::Completed && R().exit_status) show_finding(self(), 0);
  leave_turns(self());
}

void finish_thread() {
  Thread& t = self();
  t.state = ThreadState::Finished;
  --R().live;
  tick(t);
  leave_turns(t);
}

namespace {

void start_main() {
  Runtime& r = R();
  if (r.request->prefix_length == 0) fall_asleep();
  else r.asleep.threads = {};
  policy_begin();
  r.askers = r.bound = r.enabled.threads = {};
  r.ask_all_again = 0;
  go_on(r.threads[0]);
}

// To the end of the run, or of its first `until` steps.
void run_on(bool from_start, uint32_t until) {
  Runtime& r = R();
  if (__builtin_setjmp(r.run_exit)) return;
  if (from_start) start_main();
  while (!r.ended && r.steps < until) {
    if (r.live > 0 && !capture_state()) return finish(wire::End::Revisited);
    if (r.live == 0) return finish(wire::End::Completed);
    look_around();
    if (R().enabled.threads.empty()) return finish(timeouts_are_spent() ? wire::End::TimeoutLimit : wire::End::Deadlock);
    if (r.steps >= r.request->max_steps || r.steps >= kMaxEvents) return finish(wire::End::StepLimit);
    Choice choice;
    if (r.steps < r.request->prefix_length) {
      if (!follow_prefix(choice)) return finish(wire::End::Diverged);
    } else if (!choose(choice)) {
      return finish(wire::End::SleepBlocked);
    }
    step(choice);
  }
}

constexpr uint32_t kToTheEnd = ~0u;

// What ends in the program's own code has been shown there.
void show_end() {
  Runtime& r = R();
  if (r.end != wire::End::Deadlock && r.end != wire::End::TimeoutLimit && r.end != wire::End::StepLimit) return;
  Thread* t = &r.threads[r.last_thread];
  for (uint32_t i = 0; t->state != ThreadState::Live && i < r.clock_width; ++i) t = &r.threads[i];
  show_finding(*t, t->pending.pc);
}

}  // namespace

void run_once() {
  run_on(true, kToTheEnd);
  if (HEDDLE_UNLIKELY(R().real_threads)) show_end();
}
void run_ahead(uint32_t steps) { run_on(true, steps); }

void run_rest() {
  if (R().steps == R().request->prefix_length) fall_asleep();
  run_on(false, kToTheEnd);
}

}  // namespace heddle::rt

// The program's threads: their beginning and their end. Each runs on the stack of a real thread that was created at the stop at main and
// whose kernel thread has left: the control block and the thread-local storage stay behind, for whatever carries the thread (turns.h).
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>

#include "runtime/lifetimes.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/turns.h"
#include "runtime/unseen_order.h"

extern "C" {
void* heddle_call_start(void* thread);
void heddle_leave_thread(void* thread, void* result);
void* heddle_exit_buffer(void* thread);
void* heddle_exit_value(void* thread);
}

namespace heddle::rt {
namespace {

uint64_t read_fs_base() {
  uint64_t base;
  asm volatile("movq %%fs:0, %0" : "=r"(base));  // the control block's first word is its own address
  return base;
}

// Body of a real thread: leave the thread-local storage behind and vanish.
void* park(void* argument) {
  auto* slot = static_cast<Slot*>(argument);
  slot->fs_base = read_fs_base();
  constexpr uint64_t kOwnFrames = 512;
  slot->fiber_top = (reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - kOwnFrames - layout::kExitBufferBytes) & ~63ULL;
  slot->exit_buffer = reinterpret_cast<void*>(slot->fiber_top);
  heddle_register_exit_buffer(slot->exit_buffer);
  sys(__NR_set_robust_list, nullptr, 24);
  sys(__NR_set_tid_address, &slot->present);  // cleared by the kernel when the thread has left
  for (;;) sys(__NR_exit, 0);
}

bool start_parking(int slot) {
  Slot& s = R().slots[slot];
  s.present = 1;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(layout::stack_low(slot)), layout::kStackBytes);
  pthread_t handle;
  int failed = REAL(pthread_create)(&handle, &attributes, park, &s);
  pthread_attr_destroy(&attributes);
  return !failed;
}

void prepare_fiber(Thread& t, uint64_t top, void (*entry)(void*)) {
  auto* sp = reinterpret_cast<uint64_t*>(top) - 2;
  *--sp = reinterpret_cast<uint64_t>(&heddle_fiber_entry);
  *--sp = 0;                                      // rbp
  *--sp = 0;                                      // rbx
  *--sp = reinterpret_cast<uint64_t>(entry);      // r12
  *--sp = reinterpret_cast<uint64_t>(&t);         // r13
  *--sp = 0;                                      // r14
  *--sp = 0;                                      // r15
  t.sp = sp;
  t.mxcsr = 0x1f80;
  t.fpu_control = 0x37f;
}

void clear_thread(Thread& t, int slot) {
  t.state = ThreadState::Live;
  t.slot = (uint8_t)slot;
  t.detached = t.joined = t.woken = t.ignoring_reads = t.ignoring_writes = 0;
  t.children = 0;
  heddle_rt_memset(t.timed_places, 0, sizeof t.timed_places);
  t.frames = 0;
  t.tls_destructors = 0;
  t.ready_at_exit = 0;
  t.streak.anchor = 0;
  t.streak.waiting = 0;
  t.streak.overflow = 0;
  t.streak.lent_words = 0;
  t.streak.busy_pc = 0;
  t.has_fence_acquire = t.has_fence_release = 0;
  t.result = nullptr;
  t.signals_pending = 0;
  t.signals_awaited = 0;
  t.randoms = 0;
  t.clock_looks = 0;
  t.name[0] = 0;
  lifetimes_begin(t);
  clock_clear(t.clock);
  heddle_rt_memset(store_of(t).keys, 0, sizeof(void*) * R().key_count);
  Arena& arena = R().arenas[slot];
  if (arena.reuses) heddle_rt_memset(&arena, 0, sizeof arena);
  arena.next = layout::arena_low(slot);
  if (captures()) mirror_begin_thread(slot);
  if (R().state_mode == wire::StateMode::Delta) delta_begin_thread(slot);
}

// The slot of a thread follows from who creates it and as which child, never from the interleaving.
int slot_of_child(int parent, int child) {
  wire::Segment& s = *R().segment;
  for (uint32_t i = 1; i < s.thread_count; ++i)
    if (s.threads[i].parent == parent && s.threads[i].child == child) return (int)i;
  if (s.thread_count >= (uint32_t)kMaxThreads - 1) return -1;
  s.threads[s.thread_count] = {(uint8_t)parent, 0, (uint16_t)child};
  return (int)s.thread_count++;
}

}  // namespace

// Real threads take longer to make than everything else at the start of a process, and most programs have few.
int threads_to_park(const wire::Segment& segment) {
  constexpr int kLeast = 2;
  uint32_t n = segment.options.threads > kLeast ? segment.options.threads : kLeast;
  while (n < segment.thread_count) n *= 2;
  return n < kMaxThreads - 1 ? (int)n : kMaxThreads - 1;
}

// The process's first thread has its storage already, and gets a stack like the others'.
void prepare_first_slot() {
  Slot& s = R().slots[0];
  s.fiber_top = layout::stack_high(0) - layout::kExitBufferBytes;
  s.exit_buffer = reinterpret_cast<void*>(s.fiber_top);
  heddle_register_exit_buffer(s.exit_buffer);
}

bool begin_parking() {
  Runtime& r = R();
  prepare_first_slot();
  r.parked = threads_to_park(*r.segment);
  for (int i = 1; i < r.parked; ++i)
    if (!start_parking(i)) return false;
  return true;
}

void await_parked() {
  Runtime& r = R();
  for (int i = 1; i < r.parked; ++i)
    while (__atomic_load_n(&r.slots[i].present, __ATOMIC_ACQUIRE)) sys(__NR_sched_yield);
}

int child_slot(const Thread& parent) {
  int slot = slot_of_child(parent.slot, parent.children);
  if (slot >= R().parked) end_run(wire::End::NeedsThreads);
  return slot;
}

void prepare_main() {
  Runtime& r = R();
  Thread& t = r.threads[0];
  clear_thread(t, 0);
  t.tls_destructors = r.base.tls_destructors;
  t.signal_mask = r.base.signal_mask;
  t.clock.time = r.base.time;
  r.arenas[0] = r.base.arena;
  t.fs_base = r.main_fs_base;
  t.clock.at[0] = 1;
  t.start = nullptr;
  heddle_rt_memcpy(store_of(t).keys, r.base.key_values, sizeof(void*) * r.base.key_count);
  heddle_rt_memcpy(store_of(t).tls_destructors, r.base.destructors, sizeof(TlsDestructor) * r.base.tls_destructors);
  prepare_fiber(t, r.slots[0].fiber_top, heddle_thread_main);
  for (uint32_t i = 1; i < r.clock_width; ++i) r.threads[i].state = ThreadState::Unused;
  r.clock_width = 1;
  r.have_read = {};
  r.live = 1;
  r.created = 1;
  r.last_fiber = nullptr;
}

// Makes the child ready to be started; the scheduler runs it up to its first operation when the creation takes place.
Thread& start_thread(int slot, void* (*start)(void*), void* argument, bool detached, uint64_t pc) {
  Runtime& r = R();
  Thread& parent = self();
  clocks_cover(slot);
  PendingOp op{};
  op.op = Op::ThreadCreate;
  op.argument = (uint64_t)slot;
  op.name = wire::make_address(wire::Region::Thread, (uint32_t)slot, 0);
  op.pc = pc;
  op.rest = Rest::Program;

  // Set up before the turn: nothing of it can be seen until the child is live.
  Thread& t = r.threads[slot];
  t.start = start;
  t.start_argument = argument;
  t.on_start = detached ? 2 : 1;
  announce(op);
  ++parent.children;
  return t;
}

// Called by the scheduler for a child that has just been created, and for every thread whose turn it is.
void run_thread(Thread& t) {
  Runtime& r = R();
  if (t.on_start) {
    bool detached = t.on_start == 2;
    Thread& parent = r.threads[r.last_thread];
    auto start = t.start;
    int slot = (int)(&t - r.threads);
    if ((uint32_t)slot >= r.clock_width) {
      for (uint32_t i = r.clock_width; i < (uint32_t)slot; ++i) r.threads[i].state = ThreadState::Unused;
      r.clock_width = (uint32_t)slot + 1;
    }
    clear_thread(t, slot);
    t.on_start = 0;
    t.start = start;
    t.detached = detached;
    t.created_pc = parent.pending.pc;
    t.signal_mask = parent.signal_mask;
    t.fs_base = r.slots[slot].fs_base;
    clock_copy(t.clock, parent.clock);
    t.clock.at[slot] = 1;
    tick(parent);
    ++r.live;
    ++r.created;
    if (r.detail) {
      ThreadStore& s = store_of(t);
      s.create_depth = (uint32_t)shadow_stack(parent, t.created_pc, s.create_frames, 64);
    }
    prepare_fiber(t, r.slots[slot].fiber_top, heddle_thread_main);
  }
  r.current = &t;
  r.stack_low = layout::stack_low(t.slot);
  load_epoch();
  r.in_runtime = 0;
  uint64_t writes = r.writes;
  give_turn(t);
  r.in_runtime = 1;
  if (HEDDLE_UNLIKELY(r.unseen_open)) close_unseen();
  if (HEDDLE_UNLIKELY(!r.being_lent.empty())) settle_lent();
  if (r.segment->options.await_spins && t.state == ThreadState::Live && !r.ended) watch_for_spinning(t, r.writes != writes);
}

// A control block lies at the top of its thread's stack, but for main's.
Thread* thread_of(uint64_t pthread) {
  Runtime& r = R();
  uint64_t slot = layout::in_stacks(pthread) ? (pthread - layout::kStacks) / layout::kStackSlot : 0;
  if (slot >= r.clock_width) return nullptr;
  Thread& t = r.threads[slot];
  return t.state != ThreadState::Unused && t.fs_base == pthread ? &t : nullptr;
}

namespace {

void run_key_destructors(Thread& t) {
  Runtime& r = R();
  void** values = store_of(t).keys;
  for (int round = 0; round < 4; ++round) {  // PTHREAD_DESTRUCTOR_ITERATIONS
    bool any = false;
    for (uint32_t k = 0; k < r.key_count; ++k) {
      void* value = values[k];
      if (!value || !r.keys[k].used || !r.keys[k].destructor) continue;
      values[k] = nullptr;
      any = true;
      r.keys[k].destructor(value);
    }
    if (!any) return;
  }
}

}  // namespace

extern "C" void heddle_run_tls_destructors(void) {
  Thread& t = self();
  ThreadStore& s = store_of(t);
  while (t.tls_destructors) {
    TlsDestructor d = s.tls_destructors[--t.tls_destructors];
    d.function(d.object);
  }
}

}  // namespace heddle::rt

using namespace heddle::rt;

extern "C" {

void exit(int) __attribute__((noreturn));

void* heddle_call_start(void* thread) {
  auto& t = *static_cast<Thread*>(thread);
  if (t.start) return t.start(t.start_argument);
  exit(R().main(R().argc, R().argv, R().envp));
}

void* heddle_exit_buffer(void* thread) { return R().slots[static_cast<Thread*>(thread)->slot].exit_buffer; }
void* heddle_exit_value(void* thread) { return static_cast<Thread*>(thread)->result; }

void heddle_leave_thread(void* thread, void* result) {
  auto& t = *static_cast<Thread*>(thread);
  t.result = result;
  heddle_run_tls_destructors();
  make_futures_ready();
  run_key_destructors(t);
  if (R().live == 1) exit(0);  // the last thread's end is the process's
  thread_ends(t);
  finish_thread();
}
}

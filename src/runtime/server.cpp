// From process start to the stop at main, and from there request after request.
#include <cpuid.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "runtime/exempt.h"
#include "runtime/patch.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/told_value.h"
#include "runtime/unseen_order.h"
#include "runtime/turns.h"
#include "wire/ring.h"

extern "C" {
int __cxa_atexit(void (*)(void*), void*, void*);
heddle::rt::Mode heddle_mode = heddle::rt::Mode::Passive;
}

namespace heddle::rt {

void process_hooks_prepare();

namespace {

void futex_wake(uint32_t* word) { sys(__NR_futex, word, FUTEX_WAKE, 1); }
void futex_sleep(uint32_t* word) { sys(__NR_futex, word, FUTEX_WAIT, 1, nullptr); }

wire::RingView request_ring() {
  wire::Ring& ring = R().segment->requests;
  return {&ring, reinterpret_cast<unsigned char*>(R().segment) + ring.offset, ring.bytes};
}

wire::RingView trace_ring() {
  wire::Ring& ring = R().segment->traces;
  return {&ring, reinterpret_cast<unsigned char*>(R().segment) + ring.offset, ring.bytes};
}

// ---- start of the process

void* map(uint64_t address, uint64_t bytes, int protection) {
  long got = sys(__NR_mmap, address, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return got == (long)address ? reinterpret_cast<void*>(got) : nullptr;
}
}  // namespace

bool map_mirrors() {
  Runtime& r = R();
  if (r.has_mirrors) return true;
  constexpr int kReadWrite = PROT_READ | PROT_WRITE;
  r.has_mirrors = map(layout::kMirror, layout::kMirrorBytes, kReadWrite) && map(layout::kStackMirror, layout::kStackMirrorBytes, kReadWrite);
  return r.has_mirrors;
}

namespace {

bool map_own_memory(const wire::Segment& segment) {
  constexpr int kReadWrite = PROT_READ | PROT_WRITE;
  struct { uint64_t address, bytes; int protection; } const wanted[] = {
      {layout::kState, layout::kStateBytes, kReadWrite},
      {layout::kStore, layout::kStoreBytes, kReadWrite},
      {layout::kHeap, layout::kHeapEnd - layout::kHeap, kReadWrite},
      {layout::kStacks, layout::kStacksEnd - layout::kStacks, PROT_NONE},
      {layout::kShadow, layout::kShadowBytes, kReadWrite},
      {layout::kPcShadow, layout::kPcShadowBytes, kReadWrite},
  };
  for (const auto& w : wanted) {
    if (!map(w.address, w.bytes, w.protection)) return false;
    sys(__NR_madvise, w.address, w.bytes, MADV_NOHUGEPAGE);
  }
  if (segment.options.state != wire::StateMode::None && !map_mirrors()) return false;
  if (segment.options.state == wire::StateMode::Verify && !map(layout::kFullStates, layout::kFullStatesBytes, kReadWrite)) return false;
  if (segment.options.state == wire::StateMode::Delta && !map(layout::kLocalStates, layout::kLocalStatesBytes, kReadWrite)) return false;
  // What a child of the fork executor has recorded must outlive its death.
  if (segment.options.executor == wire::Executor::Fork)
    sys(__NR_mmap, R().events, sizeof R().events, kReadWrite, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  for (int i = 0; i < threads_to_park(segment); ++i) sys(__NR_mprotect, layout::stack_low(i), layout::kStackBytes, kReadWrite);
  return true;
}

[[noreturn]] void give_up(wire::Segment* segment, const char* text) {
  if (segment) {
    Text(segment->startup_error, sizeof segment->startup_error) << text;
    __atomic_store_n(&segment->target_ready, 2, __ATOMIC_RELEASE);
    futex_wake(&segment->target_ready);
  }
  for (;;) sys(__NR_exit_group, 71);
}

wire::Segment* map_segment(int fd) {
  long header = sys(__NR_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (header < 0 && header > -4096) return nullptr;
  auto* s = reinterpret_cast<wire::Segment*>(header);
  uint64_t bytes = s->bytes;
  if (s->magic != wire::kMagic || s->version != wire::kVersion) return nullptr;
  sys(__NR_munmap, header, 4096);
  long got = sys(__NR_mmap, layout::kSegment, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
  return got == (long)layout::kSegment ? reinterpret_cast<wire::Segment*>(got) : nullptr;
}

// The descriptor's number from the environment, which the program itself must not see. -1: not under heddle.
int take_descriptor(char** envp) {
  size_t n = length_of(wire::kFdVariable);
  for (char** e = envp; *e; ++e) {
    if (heddle_rt_memcmp(*e, wire::kFdVariable, n) != 0 || (*e)[n] != '=') continue;
    int fd = 0;
    for (const char* p = *e + n + 1; *p >= '0' && *p <= '9'; ++p) fd = fd * 10 + (*p - '0');
    for (char** f = e; (*f = f[1]); ++f) {}
    return fd;
  }
  return -1;
}

// ---- the end of the program's life: two exit handlers
//
// The early one is registered before the program's own constructors run, so it is called when all of the program's handlers and
// destructors have been; what would follow (the loader's turn: destructor functions of the program and of its libraries) is left
// out where nothing instrumented has any, since it costs as much as a small run. The late one is registered before all else.

void end_of_life(void*);

void early_exit_handler(void*) {
  if (running() && !R().loader_has_work) end_of_life(nullptr);
}

__attribute__((constructor(101))) void register_early_handler() {
  if (!passive()) __cxa_atexit(early_exit_handler, nullptr, nullptr);
}

void end_of_life(void*) {
  if (!running()) return;
  Runtime& r = R();
  fflush(nullptr);
  if (r.created > 1) {
    PendingOp op{};
    op.op = Op::Exit;
    op.rest = Rest::Nothing;
    announce(op);
  }
  end_run(wire::End::Completed);
}

void start_up(int, char**, char** envp) {
  int fd = take_descriptor(envp);
  if (fd < 0) return;
  wire::Segment* segment = map_segment(fd);
  sys(__NR_close, fd);
  if (!segment) give_up(nullptr, "");
  segment->target_version = wire::kVersion;
  segment->target_pid = (int)sys(__NR_getpid);
  if (!map_own_memory(*segment)) give_up(segment, "cannot reserve the runtime's address ranges (a limit on virtual memory, ulimit -v, or memory overcommit switched off?)");
  Runtime& r = R();
  r.segment = segment;
  r.state_mode = segment->options.state;
  r.object_slots = 256;
  r.spinner = wire::Spinner();
  r.current = &r.threads[0];
  r.threads[0].state = ThreadState::Live;
  r.clock_width = 1;
  clocks_cover(0);
  r.live = 1;
  r.envp = envp;
  r.arenas[0].next = layout::arena_low(0);  // those of other threads begin with them (clear_thread)
  if (segment->thread_count == 0) segment->thread_count = 1;
  heddle_mode = Mode::PreMain;
  __cxa_atexit(end_of_life, nullptr, nullptr);
}

__attribute__((section(".preinit_array"), used)) void (*const heddle_preinit)(int, char**, char**) = start_up;

// ---- the stop at main

void leave_rseq() {
  // The kernel would keep writing into the main thread's storage.
  auto* offset = static_cast<const ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"));
  auto* size = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  if (!offset || !size || !*size) return;
  char* self_address;
  asm("movq %%fs:0, %0" : "=r"(self_address));
  sys(__NR_rseq, self_address + *offset, 32, 1 /* unregister */, 0x53053053);
}

void remember_base() {
  Runtime& r = R();
  if (r.object_count > sizeof r.base.objects / sizeof r.base.objects[0])
    give_up(r.segment, "too many synchronisation objects are used before main");
  if (r.threads[0].tls_destructors > 64) give_up(r.segment, "too many thread-local objects are made before main");
  name_objects();
  r.base.object_count = r.object_count;
  heddle_rt_memcpy(r.base.objects, r.objects, sizeof(Object) * r.object_count);
  r.base.key_count = r.key_count;
  heddle_rt_memcpy(r.base.keys, r.keys, sizeof r.keys);
  heddle_rt_memcpy(r.base.key_values, r.stores[0].keys, sizeof r.base.key_values);
  r.base.tls_destructors = r.threads[0].tls_destructors;
  heddle_rt_memcpy(r.base.destructors, r.stores[0].tls_destructors, sizeof(TlsDestructor) * r.base.tls_destructors);
  r.base.arena = r.arenas[0];
  r.base.time = r.threads[0].clock.time;
  r.base.signal_mask = r.threads[0].signal_mask;
}

void begin_run(const wire::RequestHeader* request) {
  Runtime& r = R();
  ++r.run;
  unseen_begin_run();
  race_begin_run();
  orders_begin_run();
  r.request = request;
  r.prefix = reinterpret_cast<const wire::Choice*>(request + 1);
  r.steps = 0;
  r.ended = 0;
  r.exit_status = 0;
  r.races_dropped = 0;
  r.weak_orders = 0;
  r.used = 0;
  r.most_timeouts = r.timeouts_spent = 0;
  r.report_count = 0;
  r.stack_bytes = 0;
  r.output_bytes = 0;
  r.detail = (request->flags & wire::kDetail) != 0;
  r.watch_low = r.detail && request->watch ? raw_address(request->watch) : 0;
  r.watch_high = r.watch_low + (r.watch_low ? request->watch_size : 0);
  r.detect_races = r.segment->options.detect_races;
  r.key_count = r.base.key_count;
  if (r.key_count) heddle_rt_memcpy(r.keys, r.base.keys, sizeof(Key) * r.key_count);
  clock_clear(r.io_clock);
  r.told_ignored = 0;
  follow_modes();
  visible_begin_run();
  prepare_main();
  objects_begin_run();
  state_begin_run();
}

// ---- the answer

uint32_t count_unjoined() {
  Runtime& r = R();
  uint32_t n = 0;
  for (uint32_t i = 1; i < r.clock_width; ++i)
    if (r.threads[i].state != ThreadState::Unused && !r.threads[i].detached && !r.threads[i].joined) ++n;
  return n;
}

void add_final_stacks() {
  Runtime& r = R();
  uint32_t n = 0;
  for (uint32_t i = 0; i < r.clock_width; ++i) {
    const Thread& t = r.threads[i];
    if (i && t.state != ThreadState::Unused) add_stack(wire::StackRecord::OfThreadCreation, t, i, 0);
    if (t.state != ThreadState::Live) continue;
    add_stack(wire::StackRecord::OfPending, t, n++, t.pending.pc);
  }
}

wire::Pending pending_of(const Thread& t) {
  wire::Pending p{};
  AlternativeSet a = enabled_alternatives(t);
  p.thread = t.slot;
  p.op = t.pending.op;
  p.enabled = !a.empty();
  p.holder = p.enabled ? wire::kNoThread : holder_of(t);
  p.size = size_of(t.pending);
  p.object = t.pending.name;
  p.argument = argument_of(t.pending);
  p.pc = name_of(t.pending.pc);
  p.alternatives = a;
  if (p.op == Op::AtomicCas) {
    p.argument = expected_by(t.pending);
    p.outcome = outcome_at_end(t.pending);
  }
  return p;
}

uint64_t output_size() {
  return R().output_written ? (uint64_t)sys(__NR_lseek, 1, 0, 2 /* SEEK_END */) : 0;
}

// Where both ends share a processor, an explorer that has asked for several runs is woken when all of them are done: it could do nothing but
// take the processor away in between.
bool more_is_asked_for() {
  wire::RingView ring = request_ring();
  return __atomic_load_n(&ring.ring->written, __ATOMIC_ACQUIRE) - ring.ring->consumed > R().request->bytes;
}

void publish() {
  Runtime& r = R();
  // Whoever ended the run is left with nothing: what it announced last has happened.
  if (r.current && (r.end == wire::End::Completed || r.end == wire::End::Stopped)) r.current->state = ThreadState::Finished;
  bool with_pending = r.end != wire::End::NeedsFork && r.end != wire::End::NeedsThreads && r.end != wire::End::Unsupported;
  if (r.detail) add_final_stacks();
  uint32_t pendings = 0;
  if (with_pending)
    for (uint32_t i = 0; i < r.clock_width; ++i)
      if (r.threads[i].state == ThreadState::Live) ++pendings;
  wire::TraceHeader h{};
  h.end = r.end;
  h.request_id = r.request->id;
  h.events = r.steps;
  h.pendings = pendings;
  h.reports = r.report_count;
  h.stack_bytes = (uint32_t)wire::round_up_8(r.stack_bytes);
  h.threads = r.created;
  h.unjoined = r.end == wire::End::Completed ? count_unjoined() : 0;
  h.exit_status = r.exit_status;
  h.races_dropped = r.races_dropped;
  h.output_bytes = output_size();
  h.states = r.state_count;
  h.states_void = r.states_void;
  h.weak_orders = r.weak_orders;
  h.used = r.used;
  h.timeouts = (uint8_t)r.request->timeouts;
  h.most_timeouts = r.most_timeouts;
  h.timeouts_spent = r.timeouts_spent;
  h.table_full = r.full_states_dropped;
  h.bytes = (uint32_t)(sizeof h + sizeof(wire::Event) * h.events + sizeof(wire::Pending) * h.pendings +
                       sizeof(wire::Report) * h.reports + h.stack_bytes + sizeof(wire::Fingerprint) * h.states);
  wire::RingView ring = trace_ring();
  if (h.bytes > ring.bytes) fatal("a run's trace is larger than the ring to the explorer");
  unsigned char* at;
  while (!(at = wire::ring_reserve(ring, h.bytes, futex_wake))) asm volatile("pause");
  auto put = [&at](const void* from, uint64_t bytes) {
    heddle_rt_memcpy(at, from, bytes);
    at += bytes;
  };
  put(&h, sizeof h);
  put(r.events, sizeof(wire::Event) * h.events);
  if (with_pending)
    for (uint32_t i = 0; i < r.clock_width; ++i)
      if (r.threads[i].state == ThreadState::Live) {
        wire::Pending p = pending_of(r.threads[i]);
        put(&p, sizeof p);
      }
  put(r.reports, sizeof(wire::Report) * h.reports);
  put(r.stack_records, h.stack_bytes);
  put(r.states, sizeof(wire::Fingerprint) * h.states);
  wire::ring_publish(ring, h.bytes);
  if (r.spins || !more_is_asked_for()) wire::ring_wake(ring, futex_wake);
}

// ---- serving

const wire::RequestHeader* next_request() {
  wire::RingView ring = request_ring();
  for (;;) {
    wire::RingMessage m = wire::ring_peek(ring);
    if (m.broken) give_up(R().segment, "the explorer's ring is damaged");
    if (m.data) return reinterpret_cast<const wire::RequestHeader*>(m.data);
    if (__atomic_load_n(&R().segment->stop, __ATOMIC_ACQUIRE))
      for (;;) sys(__NR_exit_group, 0);
    auto arrived = [&] { return __atomic_load_n(&ring.ring->written, __ATOMIC_ACQUIRE) != ring.ring->consumed; };
    auto late = [&] { return wire::ring_is_late(ring); };
    const bool came = R().spins ? R().spinner.wait(arrived, wire::beside_writer(ring)) : R().give_way.wait(arrived, late, [] { sys(__NR_sched_yield); }, wire::ticks);
    if (!came) wire::ring_sleep(ring, futex_sleep);
  }
}

void reset_output() {
  if (!R().output_written) return;
  sys(__NR_ftruncate, 1, 0);
  R().output_written = 0;
}

// The end of a run is a state, too.
void end_run() {
  if (R().end == wire::End::Completed && !capture_end()) {
    if (R().current) R().current->state = ThreadState::Finished;  // as publish() does
    R().end = wire::End::Revisited;
  }
  publish();
}

void run_request(const wire::RequestHeader* request) {
  begin_run(request);
  run_once();
  end_run();
}

// ---- running ahead
//
// While the explorer thinks about a run, the next one is begun: a depth-first search tells how much of it is certain. What was
// begun is checked against the request when it comes, step by step, and taken back if the two differ.

// States are captured at the end of a prefix at the earliest, so that what is run ahead has none. Local states follow from each other (delta), and
// full ones are kept for a run (verify): there every step has to be its run's own.
bool may_be_ahead(const wire::RequestHeader* request) {
  constexpr uint32_t kOfStates = wire::kCapture | wire::kStopAtVisited;
  const bool usual = request->flags == (request->flags & kOfStates) && request->policy == wire::Policy::RunOn;
  return usual && (!captures() || R().state_mode == wire::StateMode::Exact);
}

void begin_ahead(const wire::RequestHeader* done) {
  Runtime& r = R();
  const bool usual = r.end == wire::End::Completed || r.end == wire::End::Deadlock || r.end == wire::End::Stopped ||
                     r.end == wire::End::SleepBlocked || r.end == wire::End::StepLimit || r.end == wire::End::Revisited || r.end == wire::End::TimeoutLimit;
  uint32_t steps = done->next_shares < r.steps ? done->next_shares : r.steps;
  if (!steps || !usual || !may_be_ahead(done)) return;
  for (uint32_t i = 0; i < steps; ++i) r.ahead_prefix[i] = {r.events[i].thread, r.events[i].alternative};
  r.ahead_request = {};
  r.ahead_request.max_steps = done->max_steps;
  r.ahead_request.timeouts = done->timeouts;
  r.ahead_request.flags = done->flags;
  r.ahead_request.capture_from = ~0u;
  r.ahead_request.prefix_length = steps + 1;  // what is asleep at its end is not known yet
  reset_output();
  begin_run(&r.ahead_request);
  r.prefix = r.ahead_prefix;
  r.is_ahead = 1;
  run_ahead(steps);
}

bool agrees(const wire::Choice& asked, const wire::Event& done) {
  int alternative = asked.alternative == wire::kAnyAlternative ? done.alternatives.next() : asked.alternative;
  return asked.thread == done.thread && alternative == done.alternative;
}

bool continues_ahead(const wire::RequestHeader* request) {
  const Runtime& r = R();
  if (r.ended || !modes_are_as_asked() || !may_be_ahead(request) || request->flags != r.ahead_request.flags || request->max_steps != r.ahead_request.max_steps ||
      request->timeouts != r.ahead_request.timeouts)
    return false;
  if (request->flags && request->capture_from < r.steps) return false;
  if (r.steps > request->prefix_length || r.visible_seen != r.segment->visible_count) return false;
  const auto* prefix = reinterpret_cast<const wire::Choice*>(request + 1);
  for (uint32_t i = 0; i < r.steps; ++i)
    if (!agrees(prefix[i], r.events[i])) return false;
  return true;
}

// False: nothing was begun that could be used, and all is as it was at the stop at main.
bool take_up(const wire::RequestHeader* request) {
  Runtime& r = R();
  if (!r.is_ahead) return false;
  r.is_ahead = 0;
  if (!continues_ahead(request)) {
    rollback_restore();
    return false;
  }
  r.request = request;
  r.prefix = reinterpret_cast<const wire::Choice*>(request + 1);
  return true;
}

void serve_by_rollback(const wire::RequestHeader* request) {
  if (take_up(request)) {
    run_rest();
    end_run();
  } else {
    reset_output();
    run_request(request);
  }
  const wire::RequestHeader done = *request;
  wire::ring_release(request_ring(), request->bytes);
  rollback_restore();
  begin_ahead(&done);
}

void publish_death(const wire::RequestHeader* request, int status, uint64_t steps) {
  Runtime& r = R();
  begin_run(request);
  r.steps = steps < kMaxEvents ? (uint32_t)steps : kMaxEvents;
  r.end = wire::End::Died;
  r.exit_status = status;
  r.threads[0].state = ThreadState::Finished;
  publish();
}

void serve_by_fork(const wire::RequestHeader* request) {
  R().output_written = 1;
  sys(__NR_ftruncate, 1, 0);
  files_rewind();
  uint64_t before = __atomic_load_n(&R().segment->traces.written, __ATOMIC_ACQUIRE);
  uint64_t beats = __atomic_load_n(&R().segment->heartbeat, __ATOMIC_RELAXED);
  long child = sys(__NR_fork);
  if (child == 0) {
    sys(__NR_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL);
    guard_install(false);
    run_request(request);
    for (;;) sys(__NR_exit_group, 0);
  }
  if (child < 0) give_up(R().segment, "fork failed: too many processes or too little memory");
  __atomic_store_n(&R().segment->run_pid, (int)child, __ATOMIC_RELEASE);
  int status = 0;
  while (sys(__NR_wait4, child, &status, 0, nullptr) == -EINTR) {}
  __atomic_store_n(&R().segment->run_pid, 0, __ATOMIC_RELEASE);
  if (__atomic_load_n(&R().segment->traces.written, __ATOMIC_ACQUIRE) == before) 
    publish_death(request, status, __atomic_load_n(&R().segment->heartbeat, __ATOMIC_RELAXED) - beats);
  wire::ring_release(request_ring(), request->bytes);
}

// The threads of a run are kernel threads: there is no way back to the stop at main.
[[noreturn]] void serve_on_threads(bool rollback) {
  R().output_written = !rollback;
  guard_install(rollback);
  run_request(next_request());
  const wire::Ring& ring = R().segment->traces;
  while (__atomic_load_n(&ring.consumed, __ATOMIC_ACQUIRE) != ring.written) sys(__NR_sched_yield);
  for (;;) sys(__NR_exit_group, 0);
}

bool several_cpus() {
  uint64_t mask[16] = {};
  sys(__NR_sched_getaffinity, 0, sizeof mask, mask);
  int n = 0;
  for (uint64_t m : mask) n += __builtin_popcountll(m);
  return n > 1;
}

bool has_avx2() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return false;
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}

// On the scheduler's own stack, for the rest of the process's life.
void serve_forever(void*) {
  Runtime& r = R();
  bool rollback = r.segment->options.executor == wire::Executor::Rollback;
  r.in_runtime = 1;
  r.current = nullptr;
  signals_install();
  files_prepare();
  if (r.segment->options.turns == wire::Turns::Threads) prepare_real_threads();
  else if (rollback) {
    guard_install(true);
    wire::ring_tell_processor(trace_ring());
    futex_wake(&r.segment->target_ready);  // it soon is: to wake up takes the explorer about as long as the rest takes us
    rollback_arm();
  }
  __atomic_store_n(&r.segment->target_ready, 1, __ATOMIC_RELEASE);
  futex_wake(&r.segment->target_ready);
  if (r.real_threads) serve_on_threads(rollback);
  for (;;) {
    const wire::RequestHeader* request = next_request();
    if (rollback) serve_by_rollback(request);
    else serve_by_fork(request);
  }
}

int stop_at_main(int argc, char** argv, char** envp) {
  Runtime& r = R();
  r.argc = argc;
  r.argv = argv;
  r.envp = envp;
  r.has_fsgsbase = (getauxval(AT_HWCAP2) & 2) != 0;
  r.has_avx2 = has_avx2();
  r.spins = several_cpus();
  asm("movq %%fs:0, %0" : "=r"(r.main_fs_base));
  leave_rseq();
  // They come and go on another processor while we go on here.
  if (!begin_parking())
    give_up(r.segment,
            "cannot create the threads whose storage the program's threads use (a limit on processes, ulimit -u?)");
  read_modules();
  find_exempt();
  patch_ask();
  process_hooks_prepare();
  if (r.segment->options.unbuffered) setvbuf(stdout, nullptr, _IONBF, 0);
  await_parked();
  patch_apply();
  remember_base();
  heddle_mode = Mode::Running;
  auto* sp = reinterpret_cast<uint64_t*>(r.scheduler_stack + kSchedulerStack) - 2;
  *--sp = reinterpret_cast<uint64_t>(&heddle_fiber_entry);
  *--sp = 0;
  *--sp = 0;
  *--sp = reinterpret_cast<uint64_t>(&serve_forever);
  *--sp = 0;
  *--sp = 0;
  *--sp = 0;
  void* nowhere;
  heddle_switch(&nowhere, sp);
  __builtin_unreachable();
}

}  // namespace

// Every look at a clock takes a microsecond at first, then longer: a loop that waits for a deadline gets there soon. Time is
// part of what a thread has seen, so a loop that looks at it does not come back to the same state (await.cpp).
uint64_t virtual_time() {
  constexpr uint64_t kLook = 1'000, kLongestLook = 1'000'000'000;
  Thread& t = self();
  uint64_t shift = t.clock_looks / 4;
  uint64_t took = shift < 20 ? kLook << shift : kLongestLook;
  ++t.clock_looks;
  if (running()) time_was_read();
  ++R().writes;
  return t.clock.time += took;
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                                    void (*rtld_fini)(), void* stack_end) {
  using Real = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto real = reinterpret_cast<Real>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (passive()) return real(main, argc, argv, init, fini, rtld_fini, stack_end);
  R().main = main;
  return real(stop_at_main, argc, argv, init, fini, rtld_fini, stack_end);
}

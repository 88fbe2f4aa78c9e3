// The heart of the runtime that is linked into the tested program: its state, and who may touch it.
//
// GROUND RULES of living in somebody else's process
//  1. No C++ standard library, no exceptions, no malloc, no static constructors.
//  2. Our state lives in our own mapping (layout.h), never in memory that a rollback restores. The only variable in the
//     program's data is g_mode, and it does not change after the program has stopped at main.
//  3. No libc calls while a run is on, except the real functions behind pthread_exit and exit (threads.cpp, hooks_process.cpp).
//  4. Hidden visibility for everything but the functions that we stand in for.
//  5. Never trust the tested program's memory: what we read from it (a mutex's type, a heap header) may be garbage.
//  6. Everything a run can see is a function of its choices: no addresses of ours, times, or counters of earlier runs.
//  7. All system calls go through heddle_syscall, which the guard lets pass.
//
// LIFE. Started without the explorer, g_mode stays Passive and every function passes on to the real one. Otherwise the
// process starts up as usual (PreMain: one thread, operations take effect at once), stops at main, and serves requests
// (server.cpp): each run starts main, and from there on threads and scheduler take turns (turns.h):
//
//   thread:      announce(operation) ──► scheduler: who is enabled? choose, record the event, let it take effect
//   thread: … ◄── resume ─────────────────────────┘
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "runtime/files.h"
#include "runtime/fingerprint.h"
#include "runtime/layout.h"
#include "runtime/orders.h"
#include "runtime/owed_pieces.h"
#include "runtime/sys.h"
#include "wire/ring.h"
#include "wire/wire.h"

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default"), weak))
#define HEDDLE_PC (reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)
#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace heddle::rt {

using wire::AlternativeSet;
using wire::kMaxThreads;
using wire::Op;
using wire::ThreadSet;

enum class Mode : uint8_t { Passive = 0, PreMain = 1, Running = 2 };
extern "C" Mode heddle_mode;  // constant from the stop at main on
inline bool passive() { return heddle_mode == Mode::Passive; }
inline bool running() { return HEDDLE_LIKELY(heddle_mode == Mode::Running); }

// A vector clock. `time` is virtual time in nanoseconds: it travels along happens-before edges like the rest, so that what a
// thread reads from a clock depends only on what happened before it, not on the interleaving.
// Entries from Runtime::clock_limit on are zero in every clock.
struct Clock {
  uint64_t time;
  alignas(16) uint32_t at[kMaxThreads];
  alignas(16) uint32_t maybe[kMaxThreads];  // unseen_order.h; meaningless where there are no such libraries
};

// A library that may order threads where nobody sees it (unseen_order.h).
inline constexpr uint32_t kMaxUnseen = 16;
struct UnseenLibrary {
  uint32_t module;
  uint8_t open;                  // its code can be executed
  uint32_t given[kMaxThreads];   // what happened before its entries, or may have
};

enum class Kind : uint8_t { None, Mutex, Rwlock, Cond, Semaphore, Barrier, Once, Atomic };
enum class MutexType : uint8_t { Normal, Recursive, ErrorCheck, Spin };

// The modelled state of one synchronisation object or atomic location.
struct Object {
  uint64_t address;
  wire::Address name;
  Kind kind;
  MutexType type;
  uint8_t owner;      // Mutex, Rwlock (writer), Once (runs the initialiser): kNoThread if nobody
  uint8_t destroyed;
  uint8_t is_private; // to a library: private_objects.cpp
  uint32_t count;     // Mutex: depth; Semaphore: value; Barrier: arrived; Once: 0 new, 1 running, 2 done
  uint32_t limit;     // Barrier: how many
  uint32_t generation;  // Barrier: rounds completed
  uint8_t read_depth[kMaxThreads];  // Rwlock: how often each thread holds it for reading
  ThreadSet readers;  // Rwlock: who reads
  ThreadSet waiters;  // Cond, Atomic (futex): who sleeps
  ThreadSet askers;   // Mutex, Rwlock: whose next operation is to lock it, whether they can or not
  uint64_t taken_pc;  // where the owner took it
  uint32_t order_block;  // Atomic: of the watch over memory orders, plus one (orders.cpp); 0: not known yet
  uint8_t stale;      // on the list of objects whose print has to be taken anew (state.cpp)
  Print print;        // what it adds to the state's
  Clock clock;        // released here
  Clock read_clock;   // Rwlock: released by readers
};

// What decides what a thread does after its turn, besides the operation that it has announced.
enum class Rest : uint8_t {
  Hook,     // the hook's own frames, and the program's
  Program,  // the program's frames: the hook has told all of its arguments
  Nothing,  // neither: the program's code does not go on
};
inline constexpr int kOperands = 5;

// What a thread is about to do.
struct PendingOp {
  Op op;
  uint8_t timed;        // CondWait, FutexWait: may time out
  uint8_t spent;        // … would, but has done so as often as the request allows (timeouts.h)
  uint8_t write;        // Memory: writes
  uint32_t size;
  Object* object;
  Object* second;       // CondWait, CondResume: the mutex
  uint64_t address;     // raw, for Memory, Futex
  uint64_t argument;    // expected value, wake count, thread, …
  uint64_t pc;
  wire::Address name;
  Rest rest;            // what decides what happens after the turn, besides this operation (state_facts.h)
  uint64_t operand[kOperands];  // arguments of the hook that are not told above
  uint64_t site;        // the hook's caller; pc may be further up, in the program
};

// What a thread has only read since it was last in the state `anchor` (await.cpp).
inline constexpr uint32_t kMaxLocations = 32;
inline constexpr uint32_t kMaxLent = 16;
struct Streak {
  struct Location {
    uint64_t address;
    uint32_t size;
  };
  uint64_t anchor;  // 0: no streak
  uint32_t steps, power;
  uint32_t locations;
  uint8_t waiting;
  uint8_t changed;
  uint8_t overflow;
  uint64_t busy_pc;  // of the operation before, if it changed memory: if it comes again it is not worth watching at first
  PendingOp resumed;
  Location location[kMaxLocations];
  // Words of its stack that other threads have written since: what the thread itself left there, and what they did.
  struct Lent {
    uint64_t address, own, now;
    bool open;  // being written: `now` is not known yet
  };
  uint32_t lent_words;
  Lent lent[kMaxLent];
};

// The second object that is told of an operation; of a wait, how many of its thread's last operations the loop consists of.
inline wire::Address argument_of(const PendingOp& p) {
  if (p.op == Op::Await) return p.argument;
  return p.second ? p.second->name : 0;
}

// The size that is told of an operation: for semaphores, how many units there are before it.
inline uint32_t size_of(const PendingOp& p) {
  return wire::op_class(p.op) == wire::OpClass::Semaphore && p.object ? p.object->count : p.size;
}

enum class ThreadState : uint8_t { Unused, Live, Finished };

struct Frame {
  uint64_t pc;
  uint64_t sp;
};
inline constexpr int kMaxFrames = 1 << 15;
inline constexpr int kMaxKeys = 256;

struct TlsDestructor {
  void (*function)(void*);
  void* object;
};
inline constexpr int kMaxTlsDestructors = 1024;

// How often a thread has timed out at a place of the program. The last entry is for all places that have none of their own.
struct TimedPlace {
  uint64_t pc;
  uint32_t timeouts;
};
inline constexpr int kTimedPlaces = 8;

struct MemoryRange {
  uint64_t low, high;
};

struct Thread {
  ThreadState state;
  uint8_t slot;
  uint8_t detached;
  uint8_t joined;
  uint8_t woken;            // by a signal, broadcast or wake-up
  uint8_t alternative;      // what the scheduler chose
  uint8_t outcome;          // result of the operation
  uint8_t on_start;         // created, has not run yet
  uint8_t ignoring_reads, ignoring_writes;  // nested "do not watch" requests
  uint16_t children;        // threads it has created
  void* sp;                 // saved stack pointer of the fiber
  uint64_t frames_low;      // where the frames begin that count as its state; 0: not known yet (state.cpp)
  uint64_t fs_base;
  uint32_t mxcsr;
  uint16_t fpu_control;
  void* (*start)(void*);
  void* start_argument;
  void* result;
  uint64_t created_pc;
  PendingOp pending;
  Streak streak;
  Clock clock;
  Clock fence_release;      // set by a release fence: what later relaxed stores publish
  Clock fence_acquire;      // gathered by relaxed loads: what an acquire fence takes
  Clock woken_clock;        // of whoever woke it
  uint8_t has_fence_release;
  uint8_t has_fence_acquire;
  uint32_t frames;          // depth of the shadow call stack
  uint32_t tls_destructors;
  uint32_t ready_at_exit;
  uint64_t signal_mask;
  uint64_t signals_pending;
  uint64_t signals_awaited;  // by sigwait
  uint64_t randoms;         // drawn so far
  TimedPlace timed_places[kTimedPlaces];
  uint64_t announced_at;    // where on its stack it has announced its operation (lifetimes.cpp); so are these:
  MemoryRange shared[2];    // of its stack and of its thread-local storage, what other threads have accessed
  uint8_t frames_doubtful;  // functions were left without their end: a jump, an exception, another stack
  uint32_t clock_looks;     // how often it has looked at a clock
  char name[16];
};

// The parts of a thread that are large and rarely touched.
struct ThreadStore {
  Frame frames[kMaxFrames];
  TlsDestructor tls_destructors[kMaxTlsDestructors];
  void* keys[kMaxKeys];
  uint64_t ready_at_exit[8];   // status words of futures that become ready when the thread ends
  uint64_t create_frames[64];  // where it was created (detail runs)
  uint32_t create_depth;
};

// A parked thread: its thread-local storage and control block are real, its kernel thread is gone. Where real threads take turns, it gets
// another one when the program's thread begins (turns_threads.cpp).
struct Slot {
  uint64_t fs_base;
  uint64_t fiber_top;  // highest stack address a fiber may use
  void* exit_buffer;   // where pthread_exit ends (thread_entry.c)
  int present;  // its kernel thread
  uint32_t begun;  // it has another kernel thread
  uint32_t turn;   // futex: 1 when it is its turn
};

struct Key {
  uint8_t used;
  void (*destructor)(void*);
};

// Heap state of one thread.
inline constexpr int kSizeClasses = 160;
struct Arena {
  uint64_t next;                       // bump pointer
  uint8_t reuses;                      // the lists below are in use
  uint64_t free_head[kSizeClasses];    // freed by the owner itself, reused only when memory is short
  uint64_t free_tail[kSizeClasses];
};

inline constexpr uint64_t kZeroPage = ~0ULL;
struct HotPage {
  uint64_t address;
  uint64_t store;    // offset of the original in the page store, or kZeroPage
  uint16_t from;     // the part from here on is mirrored: the rest is stack
  uint8_t changed;   // in this run, as far as it was captured: the mirror is not the original
  uint8_t guarded;   // read-only again, and equal to its mirror
  uint8_t calm;      // was guarded before, and no write has come since
  uint8_t faults;    // writes that came all the same
  uint16_t still;    // so many looks have found it as it was, in this run and in those before it that left it alone
};

// A state that this run has passed.
struct PassedState {
  wire::Fingerprint state;
  uint32_t run;
};

// A large block that its allocation has filled: what its shadow would say, if it were not left untouched (race.cpp).
struct LargeWrite {
  uint64_t low, high;
  uint64_t entry;
  uint32_t pc;
};

struct ObjectSlot {
  uint64_t address;
  uint32_t run;
  uint32_t index;
};

struct Cell {  // one entry of an inflated shadow granule (race.cpp)
  uint64_t entry;
  uint32_t pc;
  uint32_t next;
};

inline constexpr uint32_t kMaxEvents = 1 << 20;
inline constexpr uint32_t kMaxObjects = 1 << 18;
inline constexpr uint32_t kLivenessSlots = 1 << 12;
inline constexpr uint32_t kMaxStale = 1 << 12;
inline constexpr uint32_t kMaxCells = 1 << 23;
inline constexpr uint32_t kMaxHotPages = 1 << 21;
inline constexpr uint32_t kMaxLargeFreed = 256;
inline constexpr uint32_t kMaxLargeWritten = 256;
inline constexpr uint32_t kMaxReports = 64;
inline constexpr uint32_t kMaxStackBytes = 64 << 20;
inline constexpr uint64_t kMaxOutput = 16 << 20;
inline constexpr uint32_t kVisibleFilter = 1 << 16;
inline constexpr uint64_t kSchedulerStack = 1 << 20;
inline constexpr uint64_t kSignalStack = 1 << 17;

// What threads could do at this step: all of it, the part that is asleep, and what is left to choose from.
struct Offer {
  ThreadSet threads;
  AlternativeSet alternatives[kMaxThreads];  // of a member of `threads`
};

struct Runtime {
  // --- Touched by every access.
  uint64_t epoch;           // of the running thread, as a shadow entry without kind and mask
  uint64_t stack_low;       // of the running thread
  uint64_t writes;          // plain writes outside of the writer's stack, and allocations
  uint8_t visible_mode;     // 0: no plain access is visible, 1: those in the set, 2: all
  uint8_t detect_races;
  uint8_t in_runtime;       // the scheduler is at work: a signal now is ours
  uint8_t unseen_open;      // a library of unseen_order.h is
  uint8_t real_threads;     // take turns (turns_threads.cpp); constant from the stop at main on
  Thread* current;          // who runs
  uint32_t run;             // number of this run, 1…; 0 is before main

  // --- The run.
  void* scheduler_sp;
  void* run_exit[5];        // where run_once is left from within an operation's effect
  Thread* last_fiber;       // whose registers and TLS are loaded
  Thread* carrier;          // real threads: on whose kernel thread the scheduler is
  Thread* turn;             // real threads: who is to go on
  uint64_t probing;         // the program's code on whose behalf memory is looked at; 0: none
  uint8_t owes_pieces;      // see `owed`
  uint8_t showing;          // real threads: only to be looked at
  uint32_t steps;
  uint32_t clock_width;     // thread slots in use
  uint32_t clock_limit;     // thread slots ever used, by any run, and some: never shrinks
  uint32_t live;
  wire::End end;
  uint8_t ended;
  uint8_t output_written;
  uint64_t output_bytes;    // of this run, so far
  uint8_t detail;
  uint32_t created;
  int exit_status;
  uint32_t races_dropped;
  alignas(16) unsigned char sampling[4096];  // state of the sampling policies (policy.cpp)
  const wire::RequestHeader* request;
  const wire::Choice* prefix;
  uint8_t last_thread;
  ThreadSet askers;         // live threads that lock next: looked at when something happens to their lock
  Object* asked[kMaxThreads];  // that lock
  uint8_t ask_all_again;
  uint8_t has_event;        // the operation that the running thread performs is the last of `events`; no: nobody can see it (announce.cpp)
  ThreadSet bound;          // live threads whose next operation depends on the others in another way: looked at in every step
  ThreadSet have_read;      // threads with a streak of reads (await.cpp)
  ThreadSet being_lent;     // threads on whose stacks the running one has written
  Offer enabled, asleep, candidates;
  uint64_t watch_low, watch_high;  // raw addresses
  uint32_t key_count;
  Key keys[kMaxKeys];
  Clock io_clock;           // released by writing to files and pipes, acquired by reading from any
  uint32_t object_count;
  uint32_t cell_count;
  uint32_t large_freed_count;
  MemoryRange large_freed[kMaxLargeFreed];  // large blocks freed in this run (race.cpp)
  uint32_t large_written_count;
  LargeWrite large_written[kMaxLargeWritten];
  uint32_t report_count;
  uint32_t stack_bytes;

  // --- The state as it was captured last (state.cpp, mirror.cpp).
  wire::StateMode state_mode;  // of the process, from run to run
  wire::Visibility visibility;  // likewise
  uint8_t capturing;           // this run does
  uint8_t states_void;
  uint8_t weak_orders;
  uint8_t used;             // wire::RunFlags
  uint8_t most_timeouts;    // as in the trace's header
  uint8_t timeouts_spent;
  uint8_t full_states_dropped;
  uint32_t state_count;
  uint32_t passed_slots;       // of the table `passed`, a power of two; so are these:
  uint32_t object_slots, hot_slots;
  uint32_t busy_count;         // hot pages that are compared at every look: mirrored and not guarded
  Print memory;
  Print objects_print;
  Print stack_print[kMaxThreads];
  uint64_t stack_seen[kMaxThreads];  // lowest address of the slice that stack_print covers
  uint32_t stale_count;              // above kMaxStale: all are
  uint32_t stale[kMaxStale];         // objects

  Thread threads[kMaxThreads];
  Arena arenas[kMaxThreads];
  wire::Report reports[kMaxReports];

  // --- The run that has been begun before it was asked for (server.cpp).
  wire::RequestHeader ahead_request;
  uint8_t is_ahead;

  // --- What it was at the stop at main, copied at the start of each run.
  struct {
    uint32_t object_count;
    uint32_t key_count;
    uint32_t tls_destructors;
    Arena arena;
    uint64_t time;
    uint64_t signal_mask;
    Key keys[kMaxKeys];
    Object objects[1024];
    void* key_values[kMaxKeys];
    TlsDestructor destructors[64];
  } base;

  // --- The process.
  wire::Segment* segment;
  uint8_t has_fsgsbase;
  uint8_t has_avx2;
  uint8_t has_mirrors;      // memory for them (mirror.cpp)
  uint8_t loader_has_work;  // destructor functions to run at exit
  wire::Spinner spinner;
  wire::GiveWay give_way;
  int parked;               // slots that threads can have here, main's included
  uint8_t spins;            // more than one CPU: spinning for the explorer makes sense
  uint64_t patches[8];      // patch.cpp
  uint8_t patch_noted[wire::kMaxPatchNotes];  // patch_access.cpp
  struct {
    uint64_t address, old[2];
    uint32_t size;
  } patched_atomic;         // the atomic instruction that a trampoline makes (patch_access.cpp)
  const char* patched_orderer;  // what may have ordered threads in this run (race.cpp); null: nothing
  uint64_t machine_atomics[256];  // where locked instructions of trampolines have been in run `machine_run`
  uint32_t machine_atomic_count, machine_run;
  uint32_t file_count;
  KnownFile files[kMaxFiles];
  uint8_t told_ignored;  // in this run
  uint32_t answer_count;
  FileAnswer answers[kMaxAnswers];
  uint32_t hot_count;
  uint64_t store_used;
  int (*main)(int, char**, char**);
  int argc;
  char** argv;
  char** envp;
  uint64_t main_fs_base;
  MemoryRange code[wire::kMaxModules];  // the part of each that can be executed
  uint64_t frame_tables[wire::kMaxModules];  // .eh_frame_hdr of each; 0: none
  MemoryRange module_code[wire::kMaxModules];  // whole pages; of modules with several ranges of code the span of them
  uint8_t unseen_known;     // the next three are right
  uint32_t unseen_count;
  UnseenLibrary unseen[kMaxUnseen];
  struct {
    uint64_t at;
    uint16_t live;
  } liveness[kLivenessSlots];  // of places in the code (liveness.cpp)
  Slot slots[kMaxThreads];
  uint64_t visible_bits[kVisibleFilter / 64];
  uint32_t visible_seen;    // ranges of the segment already in the filter
  MemoryRange visible[wire::kMaxVisibleRanges];
  uint64_t protected_ranges[512][2];
  uint32_t protected_count;

  OwedPieces owed;

  // --- Large arrays.
  alignas(4096) unsigned char scheduler_stack[kSchedulerStack];
  alignas(4096) unsigned char signal_stack[kSignalStack];
  ThreadStore stores[kMaxThreads];
  // Hash tables are as large as what they hold needs, and never smaller than before: each page that is touched for the first time costs as much as a short run's
  // steps. One of n slots lies at [n, 2n), so that the next one begins empty.
  ObjectSlot object_table[4 * kMaxObjects];
  Object objects[kMaxObjects];
  alignas(4096) wire::Event events[kMaxEvents];  // shared with the children of the fork executor
  wire::Choice ahead_prefix[kMaxEvents];
  alignas(4096) Cell cells[kMaxCells];
  HotPage hot[kMaxHotPages];
  uint32_t busy[kMaxHotPages];
  uint32_t hot_table[4 * kMaxHotPages];  // page → its number in `hot`, plus one
  wire::Fingerprint states[kMaxEvents + 1];
  PassedState passed[4 * kMaxEvents];
  OrderWatch order_watch;
  unsigned char stack_records[kMaxStackBytes];
};
static_assert(sizeof(Runtime) < layout::kStateBytes);

inline Runtime& R() { return *reinterpret_cast<Runtime*>(layout::kState); }
inline Thread& self() { return *R().current; }
inline bool ignores(bool write) { return write ? self().ignoring_writes : self().ignoring_reads; }
inline ThreadStore& store_of(const Thread& t) { return R().stores[t.slot]; }

// ---- clocks.cpp
void clock_clear(Clock& c);
void clock_copy(Clock& to, const Clock& from);
void clock_join(Clock& to, const Clock& from);
void clocks_cover(int slot);  // before a slot is used: it lies below clock_limit
void tick(Thread& t);  // a new epoch: after a release
void acquire(Thread& t, const Clock& from);
void release(Thread& t, Clock& to);  // joins, then ticks
void load_epoch();

// ---- foreign_locks.cpp
void refuse_foreign_threads(uint64_t pc);
void refuse_foreign_futex(uint64_t pc);

// ---- modules.cpp
void read_modules();
wire::Address name_of(uint64_t address);
const wire::Module* module_of(uint64_t address);
bool instrumented(uint64_t pc);
uint64_t place_in_program(uint64_t sp, uint64_t pc);
int callers_before_main(uint64_t sp, wire::Address* out, int capacity);
uint32_t pack_pc(uint64_t pc);
uint64_t unpack_pc(uint32_t pc);
uint64_t raw_address(wire::Address name);  // 0 if it has none here

// ---- objects.cpp
Object* find_object(uint64_t address, Kind kind);   // makes it on first use
void reset_object(Object& o);
void objects_begin_run();
void name_objects();  // at the stop at main

// ---- private_objects.cpp
bool is_private_object(wire::Address name, Kind kind);

// ---- announce.cpp
uint8_t announce(const PendingOp& op);  // from a thread: wait for the turn; the operation's outcome

// ---- scheduler.cpp
void run_once();                     // on the scheduler's stack: one whole run
void run_ahead(uint32_t steps);      // the beginning of one
void run_rest();                     // what is left of it, by a request that begins like it
[[noreturn]] void end_run(wire::End end);  // from a thread or a signal handler
[[noreturn]] void finish_thread();   // from a thread: its last act

// ---- operations.cpp: what operations mean
bool depends_on_others(const PendingOp& p);  // whether it is enabled, or how
bool depends_on_its_lock(Op op);             // and on nothing else
AlternativeSet enabled_alternatives(const Thread& t);
void perform(Thread& t, uint8_t alternative);
uint8_t holder_of(const Thread& t);

// ---- await.cpp
void watch_for_spinning(Thread& t, bool wrote);
void note_read(uint64_t address, uint32_t size);
void note_change(uint64_t address, uint64_t size);
void stop_waiting(Thread& t);
void note_lent(uint64_t address, uint64_t size);  // on the stack of another thread, about to be written
void settle_lent();                               // the running thread has written there

// The running thread may be about to write: here, and where it is certain.
inline void lend(uint64_t address, uint64_t size) {
  if (HEDDLE_UNLIKELY(layout::in_stacks(address)) && address - R().stack_low >= layout::kStackBytes) note_lent(address, size);
}
inline void before_write(uint64_t address, uint64_t size) {
  if (HEDDLE_LIKELY(address - R().stack_low < layout::kStackBytes)) return;
  ++R().writes;
  if (HEDDLE_UNLIKELY(layout::in_stacks(address))) note_lent(address, size);
}
void end_streak(Thread& t);

// ---- threads.cpp
int child_slot(const Thread& parent);  // of the next thread it creates; -1: too many. Ends the run if it is not parked here
Thread& start_thread(int slot, void* (*start)(void*), void* argument, bool detached, uint64_t pc);
void prepare_main();
int threads_to_park(const wire::Segment& segment);  // main included
bool begin_parking();  // false: a thread cannot be made
void await_parked();   // until their kernel threads have left
extern "C" void heddle_register_exit_buffer(void* buffer);
void run_thread(Thread& t);          // from the scheduler: until it announces or ends
Thread* thread_of(uint64_t pthread);
extern "C" void heddle_thread_main(void* thread);
extern "C" void heddle_run_tls_destructors(void);
void make_futures_ready();           // hooks_future.cpp

// ---- report.cpp
wire::Report* add_report(wire::ReportKind kind, uint64_t pc, const char* text);
wire::Report* report(wire::ReportKind kind, uint64_t pc, const char* text);  // a debugger may have a look
[[noreturn]] void stop_with(wire::ReportKind kind, uint64_t pc, const char* text);
[[noreturn]] void unsupported(const char* call, uint64_t pc, const char* why = nullptr);
[[noreturn]] void needs_fork(const char* call);
[[noreturn]] void input_changed(const char* text);  // what is read is not what it was
[[noreturn]] void fatal(const char* text);  // our own failure: tell the explorer and leave
[[noreturn]] void wrong_fingerprint(const char* text);
void add_stack(wire::StackRecord::Owner owner, const Thread& t, uint32_t index, uint64_t pc, uint32_t size = 0);
int shadow_stack(const Thread& t, uint64_t pc, uint64_t* out, int capacity);

// ---- race.cpp
void atomic_access(uint64_t address, uint32_t size, bool write, uint64_t pc);
void mark_allocated(uint64_t block, uint64_t size, uint64_t low, uint64_t high);
void mark_filled(uint64_t block, uint64_t size, uint64_t pc);  // a new block, by its allocation: a write
void mark_freed(uint64_t block, uint64_t size, uint64_t pc, bool check);
void race_begin_run();

// ---- visible.cpp
// A plain access of any size. `last`: the hook has nothing to do afterwards but return.
void access(uint64_t address, uint64_t size, bool write, uint64_t pc, bool last = false);
void visible_free(uint64_t block, uint64_t size, uint64_t pc);
bool is_visible(uint64_t address, uint64_t size);
void visible_begin_run();

// ---- heap.cpp
void* heap_allocate(uint64_t size, uint64_t alignment, uint64_t pc);
void heap_announce_free(void* block, uint64_t pc);  // where every access is visible, so is what ends them
void heap_free(void* block, uint64_t pc);
long heap_unmap(uint64_t address, uint64_t size, uint64_t pc);  // munmap's answer
uint64_t heap_size(void* block);

// ---- state.cpp
void follow_modes();         // before a run: what the explorer wants of it (wire::Options)
bool modes_are_as_asked();
void state_begin_run();
bool capture_state();        // after each transition. False: the run has come to a state that was visited before
bool capture_end();          // the program is over; false as above
void time_was_read();
void touch_object(Object& o);
void clear_stack_below();        // for hooks whose frames count: what earlier calls left there must not
uint64_t frames_low(Thread& t);  // where the frames begin that count as the thread's local state
inline bool captures() { return R().state_mode != wire::StateMode::None; }

// ---- liveness.cpp
uint16_t live_registers(uint64_t return_address);  // which of those that a callee keeps are needed there: by number (instruction.h)

// ---- delta.cpp
void delta_begin_run();
void delta_begin_thread(int slot);
void delta_step(const wire::Event& e);
uint64_t delta_local(int slot, uint64_t words);  // the id of the thread's local state, of which so many words have changed

// ---- verify.cpp
void verify_state(wire::Fingerprint state, bool is_over);  // stops everything if the fingerprint is not that of this state alone

// ---- mirror.cpp
void mirror_begin_run();
void mirror_begin_thread(int slot);
void mirror_page(HotPage& page);    // it has become hot, and holds its original still
void mirror_forget(HotPage& page);  // it has been restored
void mirror_unguard(HotPage& page, bool by_program);  // it is going to be written
void mirror_update();               // the print of memory follows what has changed since
uint64_t mirror_stack(int slot, uint64_t low);  // the slice from `low` up; how many words have changed, come or gone
uint64_t stack_end(int slot);  // above are the thread's control block and its thread-local storage

// ---- rollback.cpp
void rollback_arm();
void rollback_restore();
void rollback_mirror_all();  // from now on there are mirrors of the hot pages; REQUIRES that memory has been put back
void rollback_unguard_all(); // from now on there are none
bool rollback_fault(uint64_t address);

// ---- guard.cpp
void guard_install(bool rollback);
void signals_install();
void use_signal_stack();
void listen_to_explorer(bool listen);  // the kernel thread that calls: when it asks for an end

// ---- server.cpp
bool map_mirrors();
[[noreturn]] void serve();
uint64_t virtual_time();
uint64_t program_random();

}  // namespace heddle::rt

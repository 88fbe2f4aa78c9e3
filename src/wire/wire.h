// The contract between the explorer and the runtime inside the tested program.
//
// Both ends map one shared-memory segment. The explorer puts Requests into one ring, the runtime puts Traces into the
// other: one round trip per execution, never one per step. Everything here is plain data of fixed layout: this header is
// compiled into the runtime, which has no C++ standard library.
//
// RULES
//  - kVersion (version.h) changes with any change of layout or meaning. It is the first thing both sides check.
//  - Neither side trusts the other's counts: lengths are checked before use.
//  - Objects and code are named by Address (relative to a module, arena or stack), never by raw pointers.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "wire/order_pairs.h"
#include "wire/patch.h"
#include "wire/uncovered.h"
#include "wire/version.h"

namespace heddle::wire {

inline constexpr uint32_t kVersion = HEDDLE_WIRE_VERSION;
inline constexpr uint64_t kMagic = 0x3145'4c44'4445'48ULL;  // "HEDDLE1"
inline constexpr int kMaxThreads = 128;                     // main included
inline constexpr int kMaxAlternatives = 128;
inline constexpr uint8_t kNoThread = 0xff;
inline constexpr uint8_t kNobody = 127;          // alternative of a signal that finds nobody waiting
inline constexpr uint8_t kAnyAlternative = 0xff;  // in a Choice: the lowest enabled one

enum class Op : uint8_t {
#define X(name, text, cls) name,
#include "operations.def"
#undef X
  kCount
};
inline constexpr int kOpCount = static_cast<int>(Op::kCount);

enum class OpClass : uint8_t { Memory, Mutex, Rwlock, Cond, Semaphore, Barrier, Once, Futex, Thread, Choice, Process };

inline constexpr OpClass kOpClasses[] = {  // not in the function: there it would be built anew in every call
#define X(name, text, cls) OpClass::cls,
#include "operations.def"
#undef X
};
constexpr OpClass op_class(Op op) { return kOpClasses[static_cast<int>(op)]; }

constexpr const char* op_text(Op op) {
  constexpr const char* table[] = {
#define X(name, text, cls) text,
#include "operations.def"
#undef X
  };
  return static_cast<int>(op) < kOpCount ? table[static_cast<int>(op)] : "?";
}

constexpr const char* op_name(Op op) {
  constexpr const char* table[] = {
#define X(name, text, cls) #name,
#include "operations.def"
#undef X
  };
  return static_cast<int>(op) < kOpCount ? table[static_cast<int>(op)] : "?";
}

// A set of up to 128 small numbers: threads, or alternatives.
struct SmallSet {
  uint64_t word[2] = {0, 0};
  constexpr bool has(int i) const { return (word[i >> 6] >> (i & 63)) & 1; }
  constexpr void add(int i) { word[i >> 6] |= 1ULL << (i & 63); }
  constexpr void remove(int i) { word[i >> 6] &= ~(1ULL << (i & 63)); }
  constexpr bool empty() const { return (word[0] | word[1]) == 0; }
  constexpr int count() const { return __builtin_popcountll(word[0]) + __builtin_popcountll(word[1]); }
  // The lowest member that is at least `from`, or -1.
  constexpr int next(int from = 0) const {
    for (int w = from >> 6; w < 2; ++w) {
      uint64_t bits = word[w];
      if (w == from >> 6) bits &= ~0ULL << (from & 63);
      if (bits) return w * 64 + __builtin_ctzll(bits);
    }
    return -1;
  }
  constexpr bool operator==(const SmallSet&) const = default;
};
using ThreadSet = SmallSet;
using AlternativeSet = SmallSet;

// A stable name of a byte in the tested program: the same in every run whatever the loader did.
//   bits 63..60 region, 59..48 index (module number, or thread whose arena or stack it is), 47..0 offset
enum class Region : uint8_t { None = 0, Module, Heap, Stack, Thread, Other, Hidden };
using Address = uint64_t;
constexpr Address make_address(Region r, uint32_t index, uint64_t offset) {
  return (static_cast<uint64_t>(r) << 60) | (static_cast<uint64_t>(index & 0xfff) << 48) | (offset & 0xffff'ffff'ffffULL);
}
constexpr Region region_of(Address a) { return static_cast<Region>(a >> 60); }
constexpr uint32_t index_of(Address a) { return (a >> 48) & 0xfff; }
constexpr uint64_t offset_of(Address a) { return a & 0xffff'ffff'ffffULL; }

// State in the C library or in the kernel. Bits 59..52 kind, 51..16 which object of this kind, 15..0 offset within it.
enum class Hidden : uint8_t {
#define X(Name, text) Name,
#include "wire/hidden.def"
#undef X
  kCount
};
inline constexpr uint64_t kHiddenBytes = 1 << 16;  // of one object
constexpr Address hidden_address(Hidden kind, uint64_t which = 0, uint64_t offset = 0) {
  constexpr uint64_t kMostObjects = 1ULL << 36;
  return (static_cast<uint64_t>(Region::Hidden) << 60) | (static_cast<uint64_t>(kind) << 52) | which % kMostObjects << 16 |
         offset % kHiddenBytes;
}
constexpr bool is_hidden(Address a) { return region_of(a) == Region::Hidden; }
constexpr const char* hidden_text(Address a) {
  constexpr const char* table[] = {
#define X(Name, text) text,
#include "wire/hidden.def"
#undef X
  };
  const uint64_t kind = a >> 52 & 0xff;
  return kind < static_cast<uint64_t>(Hidden::kCount) ? table[kind] : "hidden state";
}

// One transition: which thread moves, and which of its alternatives it takes.
struct Choice {
  uint8_t thread = 0;
  uint8_t alternative = 0;
  constexpr bool operator==(const Choice&) const = default;
};

// The identity of a global state: everything that decides the future. All zero: none.
struct Fingerprint {
  uint64_t low = 0, high = 0;
  constexpr bool is_none() const { return (low | high) == 0; }
  constexpr bool operator==(const Fingerprint&) const = default;
};

// In `size` of CondResume and FutexResume: the ways out besides being woken.
inline constexpr uint32_t kMayTimeOut = 2, kMayWakeSpuriously = 4;

// What happened at one step. 64 bytes: one cache line.
struct Event {
  uint8_t thread = 0;
  Op op = Op::Read;
  uint8_t alternative = 0;
  uint8_t outcome = 0;        // see operations.def
  uint32_t size = 0;          // bytes accessed (Memory), units before it (Semaphore); see also kMayTimeOut
  Address object = 0;         // Region::Thread for Thread operations
  Address argument = 0;       // second object: the mutex of CondWait and CondResume. Memory: a value, see below
  Address pc = 0;             // code that called, as module + offset
  ThreadSet enabled;          // threads that could have moved at this step, sleeping ones included
  AlternativeSet alternatives;  // what `thread` could have chosen from
};
static_assert(sizeof(Event) == 64);

// Operations of 1, 2, 4 or 8 bytes tell in `argument` what it takes to know whether a compare-exchange would have succeeded without
// the operation before it: AtomicCas what it expected, Write, AtomicStore and AtomicRmw what was there before.
inline constexpr uint32_t kToldValueBytes = 8;
inline constexpr uint8_t kUnknownOutcome = 0xff;

// What an unfinished thread was about to do when the run ended.
struct Pending {
  uint8_t thread = 0;
  Op op = Op::Read;
  uint8_t enabled = 0;
  uint8_t holder = kNoThread;  // who holds what it waits for, if one thread does
  uint32_t size = 0;
  Address object = 0;
  Address argument = 0;
  Address pc = 0;
  AlternativeSet alternatives;
  uint8_t outcome = kUnknownOutcome;  // AtomicCas: what it would have been
  uint8_t pad[7] = {};
};

enum class End : uint8_t {
  Completed,     // all of it ran: main returned, exit was called, or the last thread ended
  Deadlock,      // unfinished threads, none enabled
  Stopped,       // a report below ended the run (assertion, crash, …)
  SleepBlocked,  // everything enabled is asleep: redundant
  StepLimit,     // max_steps reached
  Diverged,      // the prefix asked for a thread or alternative that is not enabled
  Unsupported,   // report 0 names the call
  NeedsFork,     // rollback executor met real I/O; report 0 names the call
  Hung,          // interrupted: no visible operation for too long
  Revisited,     // reached a state of the visited table (RequestFlags::kStopAtVisited)
  Died,          // the process (fork executor) died of a signal the runtime could not catch; see exit_status
  OutOfMemory,   // interrupted: the process takes more memory than it may (Options::memory_mb)
  NeedsThreads,  // more than this target has room for; the next one on this segment has more (Segment::thread_count)
  TimeoutLimit,  // as Deadlock, but some of them would time out if the request let them
  kCount
};

enum class ReportKind : uint8_t {
  Assertion, Abort, Exception, Crash, DataRace, UseAfterFree, UseAfterReturn, DoubleFree, BadFree, HeapOverflow, LockMisuse,
  Livelock, Exit, Unsupported, NeedsFork, Note,
  OrderMatters  // of operations on a hidden object, which were no operations so far: the search has to start over with them
};

enum AccessFlags : uint8_t {
  kAccessWrite = 1,
  kAccessAtomic = 2,
  kAccessFree = 4,
  kAccessVptr = 8,
  kAccessEnd = 16,         // of the thread
  kAccessReturn = 32,      // of the function
  kAccessUnseenCode = 64,  // by a function without hooks
};

// Something the runtime saw. Two-sided reports (races, heap misuse) name the earlier side too.
// `text` of a DataRace names the library or function that may order the two sides although the runtime does not see it do so; empty: nothing does.
struct Report {
  ReportKind kind{};
  uint8_t thread = 0;
  uint8_t other_thread = kNoThread;
  uint8_t access = 0;        // AccessFlags of `thread`
  uint8_t other_access = 0;
  uint8_t signal = 0;        // Crash: the signal number. Exit: the status
  uint16_t text_length = 0;
  uint32_t step = 0;         // number of events recorded when it was seen
  uint32_t size = 0;         // bytes accessed
  uint32_t other_size = 0;
  uint32_t other_clock = 0;  // epoch of the earlier access: finds it again in a watching run
  Address address = 0;
  Address pc = 0;
  Address other_pc = 0;
  char text[256] = {};
};

// In the three low bits of owner_index of an OfReportOther stack: what was done to the watched range. Smaller: an access.
inline constexpr uint32_t kWatchedFree = 7;

// A call stack, recorded only when the request has kDetail. Follows the reports, `frames` innermost first.
struct StackRecord {
  enum Owner : uint8_t { OfEvent, OfPending, OfReport, OfReportOther,
                         OfAllocation /* owner_index: report */, OfThreadCreation /* owner_index: thread */ };
  Owner owner{};
  uint8_t thread = 0;
  uint16_t depth = 0;
  uint32_t owner_index = 0;
  uint32_t size = 0;  // OfReportOther: bytes accessed
  uint32_t pad = 0;
  // followed by depth × Address
};

enum class Policy : uint8_t {
  RunOn,   // keep the running thread while it is enabled, else the lowest enabled: deterministic
  Random,  // uniformly among enabled (thread, alternative), from seed
  Pct,     // priorities with `depth` change points among `horizon` steps
  Pos,     // partial order sampling
  Sequential,  // the first enabled thread of the order that `seed` packs (sampling.h), then the lowest
};

enum RequestFlags : uint8_t {
  kDetail = 1,  // record stacks, and the accesses to the watched range
  kKeepOutput = 2,
  kCapture = 4,        // fingerprint the states from capture_from on
  kStopAtVisited = 8,  // with kCapture: insert them into the visited table, and end at the first that is there already
};

struct SleepEntry {
  uint8_t thread = 0;
  uint8_t pad[7] = {};
  AlternativeSet alternatives;  // asleep; all others of this thread are awake
};

// In the request ring: header, then prefix_length × Choice (padded to 8), then sleep_length × SleepEntry.
// The prefix is replayed; from there on the policy chooses among what is enabled and not asleep. Sleep entries hold from the
// end of the prefix and are woken by dependent events (dependency.h).
struct RequestHeader {
  uint32_t bytes = 0;  // whole message, multiple of 8; 0 marks the end of the ring: go on at its start
  uint32_t prefix_length = 0;
  uint32_t sleep_length = 0;
  Policy policy = Policy::RunOn;
  uint8_t flags = 0;
  uint16_t depth = 0;
  uint64_t id = 0;
  uint64_t seed = 0;
  uint32_t horizon = 0;
  uint32_t max_steps = 0;
  Address watch = 0;  // with kDetail: record who touches [watch, watch + watch_size)
  uint32_t watch_size = 0;
  uint32_t capture_from = 0;  // with kCapture: number of events before the first state that is captured
  uint32_t next_shares = 0;   // the next request begins with so many choices of this run: a hint, they may be run ahead
  uint32_t timeouts = 0;      // so often may a wait (CondWait, FutexWait) of one thread at one place time out; 0: always
};

// What a run has made use of.
enum RunFlags : uint8_t {
  kAccessed = 1,  // instrumented code has accessed memory
  kShared = 2,    // two threads have made conflicting accesses to the same bytes, in whatever order
};

// In the trace ring: header, Events, Pendings, Reports, stack_bytes of StackRecords, then Fingerprints.
struct TraceHeader {
  uint32_t bytes = 0;  // as in RequestHeader
  End end{};
  uint8_t timeouts = 0;         // the request's
  uint8_t most_timeouts = 0;    // of one thread at one place; 255: or more
  uint8_t timeouts_spent = 0;   // 1: a wait was not let time out any more
  uint64_t request_id = 0;
  uint32_t events = 0;
  uint32_t pendings = 0;
  uint32_t reports = 0;
  uint32_t stack_bytes = 0;
  uint32_t threads = 0;         // created in this run, main included
  uint32_t unjoined = 0;        // joinable threads that nobody joined
  int32_t exit_status = 0;
  uint32_t races_dropped = 0;   // races beyond those reported
  uint64_t output_bytes = 0;    // what the run wrote to its captured output
  uint32_t states = 0;          // number of Fingerprints
  uint8_t table_full = 0;       // 1: some state could not be stored
  uint8_t states_void = 0;      // 1: fingerprints of earlier runs, and of this one, say too little: see Trace::states_void
  uint8_t weak_orders = 0;      // 1: an atomic operation was weaker than acquire (reading) or release (writing)
  uint8_t used = 0;             // RunFlags
};

struct Ring {  // indexes count bytes and only grow; position = index % bytes
  alignas(64) uint64_t written = 0;
  uint32_t writer_at = 0;  // the processor that the writer was on when it last wrote, plus one; 0: not known
  uint64_t written_at = 0;  // when that was, in ticks
  alignas(64) uint64_t consumed = 0;
  alignas(64) uint32_t sleeping_reader = 0;  // futex word: 1 while the reader sleeps
  uint64_t offset = 0;  // of the ring's bytes within the segment
  uint64_t bytes = 0;
};

enum class Executor : uint8_t { Rollback, Fork };
enum class Visibility : uint8_t { Racy, All };
enum class Turns : uint8_t { Fibers, Threads };  // what carries the program's threads: one kernel thread, or one each
enum class StateMode : uint8_t { None, Exact, Verify, Delta };

// Threads are named by who created them and as which child, so that the number of a thread never depends on the
// interleaving. The directory only grows and outlives the target process.
struct ThreadName {
  uint8_t parent = kNoThread;
  uint8_t pad = 0;
  uint16_t child = 0;  // the how-manieth that the parent created
};

struct VisibleRange {
  Address address = 0;
  uint64_t size = 0;
};
inline constexpr int kMaxVisibleRanges = 4096;
inline constexpr int kMaxModules = 64;
inline constexpr int kMaxStartupFrames = 16;

struct Module {
  uint64_t base = 0;  // load bias: file address = run address - base
  uint64_t begin = 0, end = 0;
  uint8_t instrumented = 0;
  uint8_t orders_unseen = 0;  // by the explorer: may order threads by instructions of its own
  char path[254] = {};
};

// The visited table within the segment (visited_table.h). The explorer fills it from the traces that arrive, lets it grow and
// empties it, between runs; the target only looks, and remembers the states of its present run by itself.
struct Visited {
  uint64_t offset = 0;    // of the slots within the segment
  uint64_t slots = 0;     // power of two; 0: there is no table
  uint64_t searches = 0;  // grows when the table is emptied: what the target remembers of states is void then
};

// Set by the explorer before the target starts. Constant afterwards, but for `visibility` and `state` (None or Exact), which may change while no
// request is under way.
struct Options {
  Executor executor = Executor::Rollback;
  Visibility visibility = Visibility::Racy;
  uint8_t detect_races = 1;
  uint8_t spurious_wakeups = 0;
  uint8_t weak_cas_fails = 0;
  uint8_t await_spins = 1;
  StateMode state = StateMode::None;
  Turns turns = Turns::Fibers;  // Threads: a target serves one request, and no states
  uint8_t unbuffered = 0;  // standard output: what waits to be printed is in memory otherwise, and so part of a state
  uint8_t observe_output = 0;  // the order in which threads print counts
  uint8_t fingerprint_bits = 0;  // for tests: so many of a fingerprint are used, at most 63; 0: all
  uint8_t patch = 1;       // accesses without hooks are announced by trampolines (patch.h)
  uint32_t cpus = 4;       // what the program is told
  uint32_t threads = 5;    // that a target has room for when nothing is known of the program's, main's included
  uint64_t random_seed = 1;
  uint64_t hang_ms = 10000;
  uint64_t memory_mb = 4096;  // that the process may take, the runtime's records included; 0: any
  uint64_t full_state_bytes = 1ULL << 30;  // StateMode::Verify: most that full states may take
};

struct Segment {
  uint64_t magic = kMagic;
  uint32_t version = kVersion;
  uint32_t bytes_of_segment_header = 0;
  uint64_t bytes = 0;
  Options options;
  // Written by the target.
  alignas(64) uint32_t target_ready = 0;  // futex: 1 stopped at main, 2 failed, 3 met what is not modelled before main, 4 its input changed,
                                          // 5 found fingerprints wrong (startup_error), kWantsPatches
  uint32_t target_version = 0;
  int32_t target_pid = 0;
  int32_t run_pid = 0;                    // fork executor: the child that runs now
  char startup_error[512] = {};
  Address startup_frames[kMaxStartupFrames] = {};  // target_ready 3: where, innermost first; 0 after the last
  alignas(64) uint64_t heartbeat = 0;     // grows with every visible operation
  alignas(64) uint32_t stop = 0;          // explorer: 1 = leave
  uint32_t modules_judged = 0;            // explorer: 1 when it has set orders_unseen of each; reset before a target starts
  uint32_t module_count = 0;
  Module modules[kMaxModules];
  uint32_t thread_count = 0;
  ThreadName threads[kMaxThreads];
  Visited visited;
  uint32_t launches = 0;                  // of targets on this segment; set by the explorer before each
  uint32_t clock_counts = 0;              // target: the program has looked at a clock, so time is part of its states from now on
  // Load-time patching (patch.h).
  alignas(64) uint32_t patch_state = 0;   // futex: 1 the target waits, 2 the image is at the start of the trace ring, if there is one
  uint64_t patch_bytes = 0;               // of the image
  uint64_t patch_entry = 0;               // target: what trampolines call
  PatchRoom patch_rooms[kMaxModules];     // target
  uint32_t visible_count = 0;             // explorer; grows between runs only
  VisibleRange visible[kMaxVisibleRanges];
  UncoveredTable uncovered;               // target
  OrderPairTable order_pairs;             // target
  Ring requests;
  Ring traces;
};

// How the explorer interrupts a run: numbers of signals, whose kernel handlers are the runtime's.
inline constexpr int kHangSignal = 14;    // SIGALRM: no visible operation for too long
inline constexpr int kMemorySignal = 24;  // SIGXCPU: more memory than it may take

inline constexpr uint32_t kWantsPatches = 6;  // Segment::target_ready

inline constexpr const char* kFdVariable = "HEDDLE_WIRE_FD";  // environment of the target: number of the segment's descriptor
inline constexpr uint32_t kNoteType = 0x4844;                 // ELF note "Heddle", descriptor: uint32_t kVersion

constexpr uint64_t round_up_8(uint64_t n) { return (n + 7) & ~7ULL; }

}  // namespace heddle::wire

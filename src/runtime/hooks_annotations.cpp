// What programs tell ThreadSanitizer about synchronisation that it would not see: code that knows it to be there calls these functions. An order
// that is annotated counts for races, and is no scheduling point: what makes it is one, or is not seen at all.
#include "runtime/hooks.h"

using namespace heddle::rt;

namespace {

// Apart from whatever else is at that address: one clock for those who come alone, one for those who come together.
Object& annotated(const volatile void* address) { return *find_object((uint64_t)address ^ 1ULL << 62, Kind::Rwlock); }

void happens_before(const volatile void* address) {
  if (running()) release(self(), annotated(address).clock);
}
void happens_after(const volatile void* address) {
  if (running()) acquire(self(), annotated(address).clock);
}

void taken(const volatile void* lock, bool alone) {
  if (!running()) return;
  const Object& o = annotated(lock);
  acquire(self(), o.clock);
  if (alone) acquire(self(), o.read_clock);
}
void given_back(const volatile void* lock, bool alone) {
  if (!running()) return;
  Object& o = annotated(lock);
  release(self(), alone ? o.clock : o.read_clock);
}

void tell_of_ignored(const char* who, uint64_t pc) {
  Runtime& r = R();
  if (r.told_ignored) return;
  r.told_ignored = 1;
  char text[160];
  Text(text, sizeof text) << "accesses are not watched where the program asks for that (" << who << "); what depends on them is not covered";
  add_report(heddle::wire::ReportKind::Note, pc, text);
}

void begin_ignoring(uint8_t& count, const char* who, uint64_t pc) {
  ++count;
  tell_of_ignored(who, pc);
}
void end_ignoring(uint8_t& count) { count -= count != 0; }

// Flags of the functions for locks of the program's own.
constexpr unsigned kReadLock = 1 << 3, kTryLockFailed = 1 << 5;

}  // namespace

// ---- orders

HEDDLE_EXPORT void __tsan_release(void* a) { happens_before(a); }
HEDDLE_EXPORT void __tsan_acquire(void* a) { happens_after(a); }
HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* a) { happens_before(a); }
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* a) { happens_after(a); }
HEDDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, const volatile void* a) { happens_before(a); }
HEDDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, const volatile void* a) { happens_after(a); }
HEDDLE_EXPORT void AnnotateCondVarSignal(const char*, int, const volatile void* a) { happens_before(a); }
HEDDLE_EXPORT void AnnotateCondVarSignalAll(const char*, int, const volatile void* a) { happens_before(a); }
HEDDLE_EXPORT void AnnotateCondVarWait(const char*, int, const volatile void* a, const volatile void*) { happens_after(a); }
HEDDLE_EXPORT void AnnotatePCQPut(const char*, int, const volatile void* a) { happens_before(a); }
HEDDLE_EXPORT void AnnotatePCQGet(const char*, int, const volatile void* a) { happens_after(a); }

// ---- locks of the program's own. Those that are made of atomics are seen anyway; the annotation says the same once more.

HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long alone) { taken(lock, alone); }
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long alone) { given_back(lock, alone); }
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  if (!(flags & kTryLockFailed)) taken(lock, !(flags & kReadLock));
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  given_back(lock, !(flags & kReadLock));
  return 1;
}

// ---- what is not to be looked at

HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) {
  if (running()) begin_ignoring(self().ignoring_reads, "AnnotateIgnoreReadsBegin", HEDDLE_PC);
}
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) {
  if (running()) end_ignoring(self().ignoring_reads);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) {
  if (running()) begin_ignoring(self().ignoring_writes, "AnnotateIgnoreWritesBegin", HEDDLE_PC);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) {
  if (running()) end_ignoring(self().ignoring_writes);
}
HEDDLE_EXPORT void __tsan_ignore_thread_begin(void) {
  if (!running()) return;
  ++self().ignoring_reads;
  ++self().ignoring_writes;
}
HEDDLE_EXPORT void __tsan_ignore_thread_end(void) {
  if (!running()) return;
  end_ignoring(self().ignoring_reads);
  end_ignoring(self().ignoring_writes);
}

// ---- of no consequence here. A race that is called benign is undefined behaviour all the same, and reported.

#define NOTHING(name, ...) HEDDLE_EXPORT void name(__VA_ARGS__) {}
NOTHING(AnnotateBenignRace, const char*, int, const volatile void*, const char*)
NOTHING(AnnotateBenignRaceSized, const char*, int, const volatile void*, unsigned long, const char*)
NOTHING(WTFAnnotateBenignRaceSized, const char*, int, const volatile void*, unsigned long, const char*)
NOTHING(AnnotateExpectRace, const char*, int, const volatile void*, const char*)
NOTHING(AnnotateFlushExpectedRaces, const char*, int)
NOTHING(AnnotateEnableRaceDetection, const char*, int, int)
NOTHING(AnnotateFlushState, const char*, int)
NOTHING(AnnotateIgnoreSyncBegin, const char*, int)
NOTHING(AnnotateIgnoreSyncEnd, const char*, int)
NOTHING(AnnotateMemoryIsInitialized, const char*, int, const volatile void*, unsigned long)
NOTHING(AnnotateMemoryIsUninitialized, const char*, int, const volatile void*, unsigned long)
NOTHING(AnnotateMutexIsNotPHB, const char*, int, const volatile void*)
NOTHING(AnnotateMutexIsUsedAsCondVar, const char*, int, const volatile void*)
NOTHING(AnnotateNewMemory, const char*, int, const volatile void*, unsigned long)
NOTHING(AnnotateNoOp, const char*, int, const volatile void*)
NOTHING(AnnotatePCQCreate, const char*, int, const volatile void*)
NOTHING(AnnotatePCQDestroy, const char*, int, const volatile void*)
NOTHING(AnnotatePublishMemoryRange, const char*, int, const volatile void*, unsigned long)
NOTHING(AnnotateUnpublishMemoryRange, const char*, int, const volatile void*, unsigned long)
NOTHING(AnnotateRWLockCreate, const char*, int, const volatile void*)
NOTHING(AnnotateRWLockCreateStatic, const char*, int, const volatile void*)
NOTHING(AnnotateRWLockDestroy, const char*, int, const volatile void*)
NOTHING(AnnotateThreadName, const char*, int, const char*)
NOTHING(AnnotateTraceMemory, const char*, int, const volatile void*)
NOTHING(__tsan_mutex_create, void*, unsigned)
NOTHING(__tsan_mutex_destroy, void*, unsigned)
NOTHING(__tsan_mutex_pre_lock, void*, unsigned)
NOTHING(__tsan_mutex_post_unlock, void*, unsigned)
NOTHING(__tsan_mutex_pre_signal, void*, unsigned)
NOTHING(__tsan_mutex_post_signal, void*, unsigned)
NOTHING(__tsan_mutex_pre_divert, void*, unsigned)
NOTHING(__tsan_mutex_post_divert, void*, unsigned)
NOTHING(__tsan_flush_memory, void)
HEDDLE_EXPORT int RunningOnValgrind(void) { return 0; }
HEDDLE_EXPORT double ValgrindSlowdown(void) { return 10; }

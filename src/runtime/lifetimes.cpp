// Use after return: a thread accesses memory of another one that is gone.
//
// What dies         when                     what shows it
//   stack, thread-    the thread has ended     an access afterwards; one before that nothing orders with the end
//   local storage
//   variables of a    the function returns     an access to what lies below all frames of the thread; one before
//   function                                   that nothing orders with the return
//
// An end counts as a write of all the memory, and is held against the accesses that the race detector knows of.
// So the order in which the search has run the two does not matter.
//
// Nothing here may raise a false alarm. Where the frames of functions begin and end is known as long as functions
// are entered and left in their order: after a jump, an exception or a change to another stack, the functions of
// that thread are not looked at any more. What is missed: a variable of a returned function whose place another
// function of its thread has taken meanwhile.
#include "runtime/lifetimes.h"

#include "runtime/unseen_order.h"

namespace heddle::rt {
namespace {

enum Part { kStack, kStorage };

Part part_of(const Thread& t, uint64_t address) { return address < stack_end(t.slot) ? kStack : kStorage; }

void widen(MemoryRange& r, uint64_t low, uint64_t high) {
  if (low < r.low) r.low = low;
  if (high > r.high) r.high = high;
}

constexpr const char* text_of(uint8_t how) {
  return how == wire::kAccessEnd ? "access to memory of a thread that has ended"
                                 : "access to a variable of a function that has returned";
}

// Where the innermost function had its stack pointer when it was entered; 0 if that is not known. As a rule it still has.
uint64_t stack_pointer_at_entry(const Thread& t) {
  if (!t.frames || t.frames > kMaxFrames) return 0;
  uint64_t sp = store_of(t).frames[t.frames - 1].sp + 2 * sizeof(uint64_t);
  return sp > t.announced_at && sp < stack_end(t.slot) ? sp : 0;
}

// Where the program's frames begin on the stack of a thread whose turn it is not: above the hook's return address. Copies of
// that may lie among our own words below.
uint64_t frames_begin(const Thread& t) {
  constexpr int kMostWords = 512;
  if (t.announced_at - layout::stack_low(t.slot) >= layout::kStackBytes) return 0;
  auto returns_to = [&](uint64_t at) { return *reinterpret_cast<const uint64_t*>(at) == t.pending.site + 1; };
  uint64_t at_entry = stack_pointer_at_entry(t), end = stack_end(t.slot);
  if (at_entry && returns_to(at_entry - sizeof(uint64_t))) return at_entry;
  uint64_t at = t.announced_at;
  for (int i = 0; i < kMostWords && at < end; ++i, at += sizeof(uint64_t))
    if (returns_to(at)) return at + sizeof(uint64_t);
  return t.announced_at;
}

bool has_returned(const Thread& t, uint64_t address) {
  return !t.frames_doubtful && address < stack_end(t.slot) && address < frames_begin(t);
}

uint64_t start_of(const Thread& t) {
  return t.start ? reinterpret_cast<uint64_t>(t.start) : reinterpret_cast<uint64_t>(R().main);
}

wire::Address place_of_end(const Thread& owner, uint8_t how) {
  return name_of(how == wire::kAccessEnd ? start_of(owner) : owner.pending.pc);
}

[[noreturn]] void report_gone(const Thread& owner, uint8_t how, const Earlier& a, uint64_t pc) {
  if (R().report_count == kMaxReports) --R().report_count;
  wire::Report* r = report(wire::ReportKind::UseAfterReturn, pc, text_of(how));
  r->access = a.access;
  r->other_access = how;
  r->other_thread = owner.slot;
  r->other_pc = place_of_end(owner, how);
  r->address = name_of(a.address);
  r->size = a.size;
  end_run(wire::End::Stopped);
}

// Like a race, it does not end the run. If a library may have ordered the two unseen, it is no more than such a race.
void report_unordered(const Earlier& e, uint8_t how, uint64_t pc) {
  if (!R().detect_races) return;
  const char* orderer = unseen_between(e.thread, e.clock);
  wire::Report* r = orderer ? report(wire::ReportKind::DataRace, pc, orderer)
                            : report(wire::ReportKind::UseAfterReturn, pc, text_of(how));
  if (!r) {
    ++R().races_dropped;
    return;
  }
  r->access = how;
  r->other_access = e.access;
  r->other_thread = e.thread;
  r->other_clock = e.clock;
  r->other_pc = e.pc;
  r->address = name_of(e.address);
  r->size = r->other_size = e.size;
}

void memory_ends(const MemoryRange& r, uint8_t how, uint64_t pc) {
  Earlier e;
  if (is_shared(r) && find_unordered(r.low, r.high, e)) report_unordered(e, how, pc);
}

}  // namespace

void lifetimes_begin(Thread& t) {
  t.announced_at = 0;
  t.frames_doubtful = 0;
  t.shared[kStack] = t.shared[kStorage] = {~0ULL, 0};
}

void access_other_stack(uint64_t address, uint64_t size, uint8_t access, uint64_t pc) {
  Runtime& r = R();
  uint64_t slot = (address - layout::kStacks) / layout::kStackSlot;
  if (slot >= r.clock_width) return;
  Thread& t = r.threads[slot];
  if (t.state == ThreadState::Unused) return;
  const Earlier a = {address, (uint32_t)size, self().slot, access, 0, 0};
  if (t.state == ThreadState::Finished) report_gone(t, wire::kAccessEnd, a, pc);
  if (has_returned(t, address)) report_gone(t, wire::kAccessReturn, a, pc);
  widen(t.shared[part_of(t, address)], address, address + size);
}

// The function's return address, which its caller has told, lies at the end of its frame.
void frame_ends(Thread& t, uint64_t hook, uint64_t pc) {
  const Frame* frames = store_of(t).frames;
  if (!t.frames || t.frames >= kMaxFrames || t.frames_doubtful) return;  // the first function ends with the thread
  MemoryRange& shared = t.shared[kStack];
  uint64_t return_address = frames[t.frames].pc + 1, highest = frames[t.frames - 1].sp + sizeof(uint64_t);
  if (shared.low > highest) return;
  uint64_t end = hook + 2 * sizeof(uint64_t);
  while (end <= highest && *reinterpret_cast<const uint64_t*>(end) != return_address) end += sizeof(uint64_t);
  if (end > highest || shared.low >= end) return;
  memory_ends({shared.low, shared.high < end ? shared.high : end}, wire::kAccessReturn, pc);
  shared.low = end;
}

void thread_ends(Thread& t) {
  load_epoch();
  for (const MemoryRange& shared : t.shared) memory_ends(shared, wire::kAccessEnd, start_of(t));
}

}  // namespace heddle::rt

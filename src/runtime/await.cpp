// Spin loops end: a thread that is back in the same local state, having only read shared memory since it was there before,
// will do the same again until one of the locations it read changes. Its next operation becomes Await: enabled once that has
// happened. No annotation is needed, and nothing is lost: every run in which it goes round once more ends in the same state.
//
// Local state: the stack from the saved stack pointer up, which includes the saved registers. "Only read" includes operations
// that may write but left the value as it was: a failed compare-exchange, a test-and-set that found the bit set. A plain write outside of
// the thread's own stack, an allocation, any other operation ends the streak.
//
// Other threads may write on the stack, where an object of theirs lies (a mutex, a flag, a result). Whether a thread waits must
// follow from what it did itself and from what it read, so that such words count as the thread itself left them (`lent`).
//
// The state to come back to is moved on after 1, 2, 4, … operations (Brent), so that a loop is found however it was entered.
#include "runtime/state_facts.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kMostStack = 1 << 16;  // deeper stacks are not compared: the loop is bounded by max_steps instead

bool may_only_read(Op op) {
  return op == Op::AtomicLoad || op == Op::AtomicCas || op == Op::AtomicRmw || op == Op::Read ||
         op == Op::StateRead;
}

uint64_t stack_top(const Thread& t) { return R().slots[t.slot].fiber_top; }

const Streak::Lent* lent_word(const Streak& s, uint64_t address) {
  for (uint32_t i = 0; i < s.lent_words; ++i)
    if (s.lent[i].address == address) return &s.lent[i];
  return nullptr;
}

// What the thread itself has left in a word of its stack. If it is not what the others wrote there, the thread has written since.
uint64_t own_word(const Streak& s, const uint64_t* word) {
  const Streak::Lent* lent = lent_word(s, reinterpret_cast<uint64_t>(word));
  return lent && lent->now == *word ? lent->own : *word;
}

uint64_t local_state(Thread& t) {
  if (!captures()) t.frames_low = 0;  // of the operation before
  uint64_t low = frames_low(t), high = stack_top(t);
  if (high - low > kMostStack) return 0;
  auto* word = reinterpret_cast<const uint64_t*>(low);
  auto* end = reinterpret_cast<const uint64_t*>(high);
  uint64_t lane[4] = {t.pending.pc, low, 1, 2};  // four chains, so that multiplications overlap
  auto mix = [](uint64_t& h, uint64_t w) {
    h = (h ^ w) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 32;
  };
  if (low != reinterpret_cast<uint64_t>(t.sp)) {  // without our own frames: the registers lie below them
    each_register(t, [&](uint64_t value) { mix(lane[1], value); });
    for (uint64_t operand : t.pending.operand) mix(lane[2], operand);
    mix(lane[3], t.pending.address);  // whoever walks a list may have the next node nowhere else
  }
  if (HEDDLE_UNLIKELY(t.streak.lent_words > 0))
    for (; word + 4 <= end; word += 4)
      for (int i = 0; i < 4; ++i) mix(lane[i], own_word(t.streak, word + i));
  for (; word + 4 <= end; word += 4)
    for (int i = 0; i < 4; ++i) mix(lane[i], word[i]);
  for (; word < end; ++word) mix(lane[0], own_word(t.streak, word));
  for (int i = 1; i < 4; ++i) mix(lane[0], lane[i]);
  return lane[0] | 1;
}

// From the state that it is in now: `state`, where nothing was lent.
void begin_streak(Thread& t, uint64_t state) {
  Streak& s = t.streak;
  R().have_read.remove(t.slot);
  bool lent = s.lent_words > 0;
  s.lent_words = 0;
  s.anchor = lent ? local_state(t) : state;
  s.steps = 0;
  s.locations = 0;
  s.overflow = 0;
  s.changed = 0;
}

bool overlap(const Streak::Location& l, uint64_t address, uint64_t size) {
  return address < l.address + l.size && l.address < address + size;
}

void become_waiting(Thread& t) {
  Streak& s = t.streak;
  s.resumed = t.pending;
  s.waiting = 1;
  PendingOp p{};
  p.op = Op::Await;
  p.pc = t.pending.pc;
  p.name = 0;  // several locations: any write may matter
  p.argument = s.steps + 1;
  if (s.locations == 1) {
    p.address = s.location[0].address;
    p.size = s.location[0].size;
    p.name = name_of(p.address);
  }
  t.pending = p;
}

}  // namespace

void end_streak(Thread& t) {
  R().have_read.remove(t.slot);
  t.streak.anchor = 0;
  t.streak.lent_words = 0;
  t.streak.waiting = 0;
}

// The thread has announced its next operation; it has written `wrote` times outside of its stack since the one before.
void watch_for_spinning(Thread& t, bool wrote) {
  Streak& s = t.streak;
  uint64_t busy_pc = s.busy_pc;
  s.busy_pc = 0;  // two threads that differ in nothing but what the operation before the last one did are in one state
  if (wrote || !may_only_read(t.pending.op)) return end_streak(t);
  if (!s.anchor) {
    if (t.pending.pc == busy_pc) return;
    begin_streak(t, local_state(t));
    s.power = 1;
    return;
  }
  if (s.overflow) return end_streak(t);
  uint64_t state = local_state(t);
  if (state == s.anchor && s.locations > 0) return become_waiting(t);
  if (++s.steps >= s.power) {
    begin_streak(t, state);
    s.power *= 2;
  }
}

void note_read(uint64_t address, uint32_t size) {
  Streak& s = self().streak;
  s.busy_pc = 0;
  if (!s.anchor) return;
  for (uint32_t i = 0; i < s.locations; ++i)
    if (s.location[i].address == address && s.location[i].size >= size) return;
  if (s.locations == kMaxLocations) {
    s.overflow = 1;
    return;
  }
  s.location[s.locations++] = {address, size};
  R().have_read.add(self().slot);
}

// The running thread has changed memory: whoever has read it in its loop may go on, or need not wait in the first place. Whether a
// thread waits must follow from what it did itself; only whether the wait is over may depend on the others.
void note_change(uint64_t address, uint64_t size) {
  Runtime& r = R();
  if (running() && r.has_event) r.events[r.steps - 1].outcome = 1;
  r.current->streak.busy_pc = r.current->pending.pc;
  end_streak(*r.current);
  for (int i = r.have_read.next(); i >= 0; i = r.have_read.next(i + 1)) {
    Thread& t = r.threads[i];
    if (t.state != ThreadState::Live) continue;
    for (uint32_t k = 0; k < t.streak.locations && !t.streak.changed; ++k)
      if (overlap(t.streak.location[k], address, size)) t.streak.changed = 1;
  }
}

// The wait is over: the operation that the loop was about to repeat is next, from the same state as before.
void stop_waiting(Thread& t) {
  t.pending = t.streak.resumed;
  t.streak.waiting = 0;
  begin_streak(t, local_state(t));
}

void note_lent(uint64_t address, uint64_t size) {
  Runtime& r = R();
  auto owner = (address - layout::kStacks) / layout::kStackSlot;
  Streak& s = r.threads[owner].streak;
  if (!s.anchor || s.waiting || r.threads[owner].state != ThreadState::Live) return;
  r.being_lent.add((int)owner);
  for (uint64_t at = address & ~7ULL; at < address + size; at += 8) {
    uint64_t now = *reinterpret_cast<const uint64_t*>(at);
    if (auto* known = const_cast<Streak::Lent*>(lent_word(s, at))) {
      if (!known->open && known->now != now) known->own = now;
      known->open = true;
    } else if (s.lent_words < kMaxLent) {
      s.lent[s.lent_words++] = {at, now, now, true};
    } else {
      return end_streak(r.threads[owner]);
    }
  }
}

void settle_lent() {
  Runtime& r = R();
  for (int i = r.being_lent.next(); i >= 0; i = r.being_lent.next(i + 1)) {
    Streak& s = r.threads[i].streak;
    for (uint32_t k = 0; k < s.lent_words; ++k) {
      Streak::Lent& lent = s.lent[k];
      if (lent.open) lent.now = *reinterpret_cast<const uint64_t*>(lent.address);
      lent.open = false;
    }
  }
  r.being_lent = {};
}

}  // namespace heddle::rt

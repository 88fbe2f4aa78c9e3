// States as fingerprints: what changed since the last look is taken out of the sum and put in anew (state_facts.h says what a
// state is), and the states that were visited are recognised.
#include "runtime/state_facts.h"
#include "wire/visited_table.h"

namespace heddle::rt {
namespace {

using wire::Fingerprint;

// Places of facts that are not in the program's memory: beyond all addresses.
enum Place : uint64_t {
  kLiveThread = 1ULL << 60, kFinishedThread = 2ULL << 60, kObject = 3ULL << 60, kKey = 4ULL << 60, kProcess = 5ULL << 60,
  kLocal = 6ULL << 60
};

// ---- the frames that count

#if defined(__GNUC__) && !defined(__clang__)
constexpr bool kHooksLeaveRegisters = true;
#else
constexpr bool kHooksLeaveRegisters = false;
#endif

// Just above the return address of the hook. Should an older copy of that address lie below it, some of our own words are counted too.
uint64_t callers_frames(const Thread& t) {
  constexpr int kMostWords = 512;
  auto* word = static_cast<const uint64_t*>(t.sp);
  for (int i = kSavedWords; i < kMostWords; ++i)
    if (word[i] == announced(t).site + 1) return reinterpret_cast<uint64_t>(word + i + 1);
  return reinterpret_cast<uint64_t>(t.sp);
}


}  // namespace

__attribute__((noinline)) void clear_stack_below() {
  volatile uint64_t words[256];
  for (auto& word : words) word = 0;
}

uint64_t frames_low(Thread& t) {
  if (t.frames_low) return t.frames_low;
  Rest rest = kHooksLeaveRegisters ? announced(t).rest : Rest::Hook;
  if (rest == Rest::Hook) return t.frames_low = reinterpret_cast<uint64_t>(t.sp);
  return t.frames_low = rest == Rest::Nothing ? stack_end(t.slot) : callers_frames(t);
}

namespace {

// ---- threads

Print print_of_thread(Thread& t) {
  bool live = t.state == ThreadState::Live;
  LongFact fact((live ? kLiveThread : kFinishedThread) | t.slot);
  if (live) tell_live(fact, t);
  else tell_finished(fact, t);
  return fact.print();
}

void add_threads(Print& sum) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.clock_width; ++i) {
    Thread& t = r.threads[i];
    if (t.state == ThreadState::Unused) continue;
    sum.add(print_of_thread(t));
    if (t.state != ThreadState::Live) continue;
    uint64_t words = mirror_stack((int)i, frames_low(t));
    if (r.state_mode == wire::StateMode::Delta) sum.add(print_of(kLocal | i, delta_local((int)i, words)));
    else sum.add(r.stack_print[i]);
  }
}

// ---- objects

Print print_of_object(const Object& o) {
  if (is_initial(o)) return {};
  LongFact fact(kObject ^ o.address);
  tell_object(fact, o);
  return fact.print();
}

void renew(Object& o) {
  Print now = print_of_object(o);
  R().objects_print.subtract(o.print);
  R().objects_print.add(now);
  o.print = now;
  o.stale = 0;
}

void renew_objects() {
  Runtime& r = R();
  if (r.stale_count <= kMaxStale)
    for (uint32_t i = 0; i < r.stale_count; ++i) renew(r.objects[r.stale[i]]);
  else
    for (uint32_t i = 0; i < r.object_count; ++i) renew(r.objects[i]);
  r.stale_count = 0;
}

// ---- the process

void add_process(Print& sum) {
  each_process_fact([&sum](uint64_t place, uint64_t value) { sum.add(print_of(kProcess | place, value)); });
}

void add_keys(Print& sum) {
  each_key_fact([&sum](uint64_t place, uint64_t value) { sum.add(print_of(kKey | place, value)); });
}

// ---- states that were visited

wire::VisitedTable visited_table() {
  const wire::Visited& v = R().segment->visited;
  auto* slots = reinterpret_cast<Fingerprint*>(reinterpret_cast<unsigned char*>(R().segment) + v.offset);
  return {slots, v.slots, nullptr, 0};
}

PassedState& passed_slot(const Fingerprint& state) {
  Runtime& r = R();
  PassedState* table = r.passed + r.passed_slots;  // a table of n slots lies at [n, 2n)
  uint64_t mask = r.passed_slots - 1, i = state.low & mask;
  while (table[i].run == r.run && !(table[i].state == state)) i = (i + 1) & mask;
  return table[i];
}

void remember_passed(const Fingerprint& state) {
  Runtime& r = R();
  if (3ULL * r.state_count >= 2ULL * r.passed_slots) {
    r.passed_slots *= 2;
    for (uint32_t i = 0; i + 1 < r.state_count; ++i) passed_slot(r.states[i]) = {r.states[i], r.run};
  }
  passed_slot(state) = {state, r.run};
}

// Was it visited by an earlier run, or earlier in this one? If not, it is from now on.
bool is_visited(const Fingerprint& state) {
  if (R().segment->visited.slots && visited_table().has(state)) return true;
  if (passed_slot(state).run == R().run) return true;
  remember_passed(state);
  return false;
}

bool is_due() { return R().capturing && R().steps >= R().request->capture_from && R().state_count <= kMaxEvents; }

// For tests of what happens when two states share a fingerprint.
Fingerprint shortened(Fingerprint f) {
  uint8_t bits = R().segment->options.fingerprint_bits;
  if (!bits) return f;
  return {(f.low & ((1ULL << bits) - 1)) | 1ULL << 63, 0};
}

void keep(const Fingerprint& state) { R().states[R().state_count++] = state; }

// Ids of local states follow from those before: none may be left out.
void follow_locals() {
  Print ignored{};
  if (R().steps) delta_step(R().events[R().steps - 1]);
  add_threads(ignored);
}

}  // namespace

void touch_object(Object& o) {
  Runtime& r = R();
  if (o.stale || r.stale_count > kMaxStale) return;
  if (r.stale_count == kMaxStale) {
    ++r.stale_count;
    return;
  }
  o.stale = 1;
  r.stale[r.stale_count++] = (uint32_t)(&o - r.objects);
}

bool modes_are_as_asked() {
  const wire::Options& o = R().segment->options;
  return R().state_mode == o.state && R().visibility == o.visibility;
}

void follow_modes() {
  Runtime& r = R();
  const wire::Options& o = r.segment->options;
  r.visibility = o.visibility;
  if (r.state_mode == o.state) return;
  if (captures()) {
    r.state_mode = wire::StateMode::None;
    rollback_unguard_all();
  } else {
    if (!map_mirrors()) fatal("cannot reserve memory for captured states (a limit on virtual memory, ulimit -v?)");
    r.state_mode = o.state;
    rollback_mirror_all();
  }
  r.spinner = wire::Spinner();  // much is done for the first time, by both ends
}

void state_begin_run() {
  Runtime& r = R();
  r.capturing = captures() && (r.request->flags & wire::kCapture);
  r.state_count = 0;
  r.states_void = 0;
  r.full_states_dropped = 0;
  r.passed_slots = 128;  // on one page
  r.stale_count = 0;
  r.objects_print = {};
  if (!r.capturing) return;
  mirror_begin_run();
  if (r.state_mode == wire::StateMode::Delta) delta_begin_run();
  for (uint32_t i = 0; i < r.object_count; ++i) {
    r.objects[i].print = {};
    r.objects[i].stale = 0;
    touch_object(r.objects[i]);
  }
}

bool capture_state() {
  Runtime& r = R();
  if (!is_due()) {
    if (r.capturing && r.state_mode == wire::StateMode::Delta) follow_locals();
    return true;
  }
  if (r.state_mode == wire::StateMode::Delta && r.steps) delta_step(r.events[r.steps - 1]);
  mirror_update();
  renew_objects();
  Print sum = r.memory;
  sum.add(r.objects_print);
  add_threads(sum);
  add_keys(sum);
  add_process(sum);
  Fingerprint state = shortened(fingerprint_of(sum));
  if (r.state_mode == wire::StateMode::Verify) verify_state(state, false);
  keep(state);
  return !(r.request->flags & wire::kStopAtVisited) || !is_visited(state);
}

// Nobody is left to do anything: the end is told apart by what it leaves in memory.
bool capture_end() {
  if (!is_due()) return true;
  mirror_update();
  Print sum = R().memory;
  sum.add(print_of(uint64_t{kProcess} | uint64_t{kIsOver}, 0));
  add_process(sum);
  Fingerprint state = shortened(fingerprint_of(sum));
  if (R().state_mode == wire::StateMode::Verify) verify_state(state, true);
  keep(state);
  return !(R().request->flags & wire::kStopAtVisited) || !is_visited(state);
}

// From here on states have a time. Those that were captured before had none, so that two of them may have been taken for one.
void time_was_read() {
  wire::Segment& s = *R().segment;
  if (s.clock_counts) return;
  s.clock_counts = 1;
  if (captures()) R().states_void = 1;
}

}  // namespace heddle::rt

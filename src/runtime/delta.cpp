// --state=delta: local states as numbers, after Yang, Chen, Gopalakrishnan, Kirby: Efficient Stateful Dynamic Partial Order Reduction (SPIN
// 2008), section 3 and fig. 4. A thread's local state is known by an id; the id of the next one follows from the id and the change,
// through a table per thread. Equal ids mean equal local states; one local state that is reached by different changes has several ids, so
// states are told apart that --state=exact knows to be equal. Global state is captured exactly in both.
//
//   L_τ            Table, one for all threads with the thread in the key
//   lid_τ          LocalState::id
//   δ_τ            the change of the stack's print between two looks: words that changed, appeared or went away with their frames
//   δ_ε            no change: the id stays
//   δ_⊥            too much has changed to be worth telling (kMostWords): a new id. So that a run can be repeated, it is that of the path on
//                  which it was given, and never of another.
// Deviations: registers count as part of the program counter, that is, exactly. Frames are looked at in full, since without static facts we do
// not know which locals are live.
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kMostWords = 256;
constexpr uint64_t kIds = 1ULL << 24;
constexpr uint64_t kSlots = 2 * kIds;

struct Transition {  // (id, change) → next, of one thread
  uint64_t id;
  Print change;
  uint64_t thread;
  uint64_t next;
};

struct LocalState {
  uint64_t id;
  Print print;  // of the stack when the id was given
};

struct Table {
  uint64_t count;
  uint64_t path;  // of this run, up to its last look: a hash of its choices
  LocalState local[kMaxThreads];
  Transition transitions[kSlots];
};
static_assert(sizeof(Table) < layout::kLocalStatesBytes);
Table& table() { return *reinterpret_cast<Table*>(layout::kLocalStates); }

// Ids of another process may still be in the visited table: they must not be given again.
uint64_t new_id() { return (uint64_t)R().segment->launches << 40 | ++table().count; }

uint64_t id_of_path(int slot) { return scramble(table().path + (uint64_t)slot) | 1ULL << 63; }

bool same(const Print& a, const Print& b) { return a.low == b.low && a.high == b.high; }

Transition& transition_for(uint64_t id, const Print& change, int slot) {
  Transition* t = table().transitions;
  uint64_t i = scramble(id + change.low) & (kSlots - 1);
  while (t[i].next && !(t[i].id == id && same(t[i].change, change) && t[i].thread == (uint64_t)slot)) i = (i + 1) & (kSlots - 1);
  return t[i];
}

// NEXTLOCAL of fig. 4.
uint64_t next_local(int slot, uint64_t id, const Print& change, uint64_t words) {
  bool is_first = id == 0;  // of a thread that has just begun: all of its frames are new
  if ((words > kMostWords && !is_first) || table().count >= kIds) return id_of_path(slot);
  if (same(change, {})) return id;
  Transition& t = transition_for(id, change, slot);
  if (!t.next) t = {id, change, (uint64_t)slot, new_id()};
  return t.next;
}

}  // namespace

void delta_begin_run() { table().path = 0; }

void delta_begin_thread(int slot) { table().local[slot] = {}; }

void delta_step(const wire::Event& e) { table().path = scramble(table().path + ((uint64_t)e.thread << 8 | e.alternative) + 1); }

uint64_t delta_local(int slot, uint64_t words) {
  LocalState& local = table().local[slot];
  Print change = R().stack_print[slot];
  change.subtract(local.print);
  local.id = next_local(slot, local.id, change, words);
  local.print = R().stack_print[slot];
  return local.id;
}

}  // namespace heddle::rt

// Which uses of hidden objects nothing orders (hidden.h), and those that are scheduling points.
//
// For each object there is a list of the earlier uses that a later one could still meet, by threads' clocks: a use is dropped when
// a later one covers it, so that a list is about as long as there are threads.
#include "runtime/hidden.h"

namespace heddle::rt {
namespace {

struct Earlier {
  uint32_t low, high;  // within the object
  uint32_t clock;
  uint8_t thread;
  Use use;
  bool locked;
  const char* call;
  uint64_t pc;
  uint32_t next;
};

struct Thing {
  uint64_t object;
  uint32_t run;
  uint32_t first;  // of the list of earlier uses; 0: none
  uint64_t unsettled;  // parts in which puts have been made in an order that somebody may see
};

constexpr uint32_t kThings = 1 << 12;
constexpr uint32_t kEarlier = 1 << 18;

// At the end of the runtime's mapping, behind Runtime: never rolled back, and no part of a state.
struct Table {
  uint32_t run;
  uint32_t things_used;
  uint32_t earlier_used;
  uint32_t free;  // list of entries that are not needed any more
  Thing things[kThings];
  Earlier earlier[kEarlier];
};
constexpr uint64_t kTableBytes = 64 << 20;
static_assert(sizeof(Table) <= kTableBytes && sizeof(Runtime) <= layout::kStateBytes - kTableBytes);
Table& table() { return *reinterpret_cast<Table*>(layout::kState + layout::kStateBytes - kTableBytes); }

uint64_t base_of(uint64_t object) { return object & ~(wire::kHiddenBytes - 1); }

Thing& thing_at(uint64_t object) {
  Table& t = table();
  if (t.run != R().run) {
    t.run = R().run;
    t.things_used = t.earlier_used = t.free = 0;
  }
  uint64_t base = base_of(object);
  uint32_t i = (uint32_t)(base * 0x9e3779b97f4a7c15ULL >> 40) % kThings;
  while (t.things[i].run == t.run && t.things[i].object != base) i = (i + 1) % kThings;
  Thing& thing = t.things[i];
  if (thing.run == t.run) return thing;
  if (++t.things_used > kThings / 2) fatal("more than 2,048 files, streams and the like are used in one run");
  thing = {base, t.run, 0, 0};
  return thing;
}

bool happened_before(const Earlier& e) { return e.thread == self().slot || self().clock.at[e.thread] >= e.clock; }

enum class Meeting { Commute, Unsettle, Order, Race };

Meeting meet(const Earlier& a, const Earlier& e) {
  if (a.use == Use::Look && e.use == Use::Look) return Meeting::Commute;
  if (!a.locked || !e.locked) return Meeting::Race;
  return a.use == Use::Put && e.use == Use::Put ? Meeting::Unsettle : Meeting::Order;
}

// Whatever `e` could meet later meets `a`, too, and in no better way.
bool covers(const Earlier& a, const Earlier& e) {
  return a.low <= e.low && e.high <= a.high && (a.use == e.use || a.use == Use::Change) && (e.locked || !a.locked);
}

bool is_told(wire::ReportKind kind, wire::Address address, wire::Address pc, wire::Address other) {
  const Runtime& r = R();
  for (uint32_t i = 0; i < r.report_count; ++i) {
    const wire::Report& told = r.reports[i];
    if (told.kind != kind || told.address != address) continue;
    if (kind == wire::ReportKind::OrderMatters || (told.pc == pc && told.other_pc == other) || (told.pc == other && told.other_pc == pc))
      return true;
  }
  return false;
}

uint8_t access_of(Use use) { return use == Use::Look ? 0 : wire::kAccessWrite; }

// Parts are numbered. Part 0 of a file are its contents; all others take 8 bytes each.
bool is_file(const Thing& thing) { return (thing.object >> 52 & 0xff) == (uint64_t)wire::Hidden::File; }
uint32_t part_of(const Thing& thing, uint32_t offset) {
  if (!is_file(thing)) return offset / 8;
  return offset < kContents ? 0 : 1 + (offset - kContents) / 8;
}
uint32_t low_of(const Thing& thing, uint32_t part) {
  if (!is_file(thing)) return 8 * part;
  return part ? kContents + 8 * (part - 1) : 0;
}
uint32_t size_of(const Thing& thing, uint32_t part) { return part || !is_file(thing) ? kWholeObject : kContents; }

// Of two that overlap: where the one with fewer parts begins.
uint32_t common_part(const Thing& thing, const Earlier& a, const Earlier& e) {
  return part_of(thing, a.high - a.low > e.high - e.low ? e.low : a.low);
}

void tell(wire::ReportKind kind, const Thing& thing, const Earlier& a, const Earlier& e) {
  Runtime& r = R();
  const wire::Address address = thing.object + a.low, pc = name_of(a.pc), other = name_of(e.pc);
  if (is_told(kind, address, pc, other)) return;
  char calls[128];
  Text(calls, sizeof calls) << a.call << "\n" << e.call;
  wire::Report* out = r.report_count + 1 < kMaxReports ? kind == wire::ReportKind::DataRace ? report(kind, a.pc, calls) : add_report(kind, a.pc, calls) : nullptr;
  if (!out) {
    ++r.races_dropped;
    return;
  }
  out->access = access_of(a.use);
  out->other_access = access_of(e.use);
  out->other_thread = e.thread;
  out->other_clock = e.clock;
  out->other_pc = other;
  out->address = address;
  out->size = a.high - a.low;
  out->other_size = e.high - e.low;
}

bool is_visible(uint64_t object, uint32_t size) {
  const Runtime& r = R();
  for (uint32_t i = 0; i < r.visible_seen; ++i)
    if (object < r.visible[i].high && object + size > r.visible[i].low) return true;
  return false;
}

void tell_order(const Thing& thing, uint32_t part, Earlier a, const Earlier& e) {
  a.low = low_of(thing, part);
  a.high = a.low + size_of(thing, part);
  if (!is_visible(thing.object + a.low, a.high - a.low)) tell(wire::ReportKind::OrderMatters, thing, a, e);
}

void watch(const Thing& thing, const Earlier& a) {
  const Runtime& r = R();
  if (thing.object + a.low >= r.watch_high || thing.object + a.high <= r.watch_low) return;
  add_stack(wire::StackRecord::OfReportOther, self(), a.clock << 3 | (a.use != Use::Look), a.pc, a.high - a.low);
}

void meet_earlier(Thing& thing, const Earlier& a) {
  Table& t = table();
  bool looks = a.use != Use::Put;
  for (uint32_t* link = &thing.first; *link;) {
    Earlier& e = t.earlier[*link - 1];
    bool overlaps = a.low < e.high && e.low < a.high;
    if (happened_before(e)) {
      uint32_t index = *link;
      if (!covers(a, e)) {
        link = &e.next;
        continue;
      }
      *link = e.next;
      e.next = t.free;
      t.free = index;
      continue;
    }
    link = &e.next;
    if (!overlaps) continue;
    switch (meet(a, e)) {
      case Meeting::Commute: break;
      case Meeting::Unsettle: thing.unsettled |= 1ULL << part_of(thing, a.low) % 64; break;
      case Meeting::Order: tell_order(thing, common_part(thing, a, e), a, e); break;
      case Meeting::Race:
        if (R().detect_races) tell(wire::ReportKind::DataRace, thing, a, e);
        break;
    }
  }
  if (!looks || !thing.unsettled) return;
  // What is in a file was put there at positions whose order is seen, too.
  uint32_t part = part_of(thing, a.low);
  uint64_t seen = part == 0 ? thing.unsettled : thing.unsettled & 1ULL << part % 64;
  for (; seen; seen &= seen - 1) tell_order(thing, (uint32_t)__builtin_ctzll(seen), a, a);
}

void remember(Thing& thing, Earlier a) {
  Table& t = table();
  uint32_t index = t.free;
  if (index) t.free = t.earlier[index - 1].next;
  else if (t.earlier_used < kEarlier) index = ++t.earlier_used;
  else fatal("more than 262,144 uses of files, streams and the like in one run are unordered");
  a.next = thing.first;
  t.earlier[index - 1] = a;
  thing.first = index;
}

// Puts are left to commute even where every access is visible, until somebody has looked.
bool is_operation(const HiddenUse& u) {
  return is_visible(u.object, u.size) || (HEDDLE_UNLIKELY(R().visible_mode == 2) && u.use != Use::Put);
}

void take_turn(const HiddenUse& u) {
  bool write = u.use != Use::Look;
  PendingOp op{};
  op.op = u.locked ? write ? Op::StateWrite : Op::StateRead : write ? Op::Write : Op::Read;
  op.write = write;
  op.size = u.size;
  op.address = u.object;
  op.pc = u.pc;
  if (captures()) clear_stack_below();
  announce(op);
  if (write) note_change(u.object, u.size);
  else note_read(u.object, u.size);
}

// Both parts of one object in one step: everything in between counts, too.
HiddenUse together(const HiddenUse& a, const HiddenUse& b) {
  HiddenUse both = a.object < b.object ? a : b;
  uint64_t end_a = a.object + a.size, end_b = b.object + b.size;
  both.size = (uint32_t)((end_a > end_b ? end_a : end_b) - both.object);
  both.use = a.use == Use::Look && b.use == Use::Look ? Use::Look : Use::Change;
  both.locked = a.locked && b.locked;
  return both;
}

void take_turns(const HiddenUse* uses, int count) {
  HiddenUse next{};
  for (int i = 0; i < count; ++i) {
    if (!is_operation(uses[i])) continue;
    if (!next.size) next = uses[i];
    else if (base_of(next.object) == base_of(uses[i].object)) next = together(next, uses[i]);
    else take_turn(next), next = uses[i];
  }
  if (HEDDLE_UNLIKELY(next.size != 0)) take_turn(next);
}

void note(const HiddenUse& u) {
  if (u.use != Use::Look) ++R().writes;  // a loop that does this does not come back to the same state (await.cpp)
  Thing& thing = thing_at(u.object);
  uint32_t low = (uint32_t)(u.object % wire::kHiddenBytes);
  Earlier a{low, low + u.size, self().clock.at[self().slot], self().slot, u.use, u.locked, u.call, u.pc, 0};
  if (HEDDLE_UNLIKELY(R().detail)) watch(thing, a);
  meet_earlier(thing, a);
  remember(thing, a);
}

}  // namespace

bool is_visible_hidden(uint64_t object) { return is_visible(object, kWholeObject); }

void make_visible_hidden(uint64_t object, const char* call, uint64_t pc) {
  Earlier a{0, kWholeObject, 0, self().slot, Use::Change, true, call, pc, 0};
  tell_order(thing_at(object), 0, a, a);
}

void see_puts(const HiddenUse& u) {
  Thing& thing = thing_at(u.object);
  Earlier a{0, kWholeObject, 0, self().slot, u.use, u.locked, u.call, u.pc, 0};
  if (thing.unsettled) tell_order(thing, 0, a, a);
}

void use_hidden(const HiddenUse* uses, int count) {
  if (ignores(true)) return;
  take_turns(uses, count);
  for (int i = 0; i < count; ++i) note(uses[i]);
}

}  // namespace heddle::rt

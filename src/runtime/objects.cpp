// The table of synchronisation objects and atomic locations, keyed by address. Entries of earlier runs are recognised by their
// run number, so that nothing is cleared between runs.
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

uint32_t hash_of(uint64_t address) { return (uint32_t)((address * 0x9e3779b97f4a7c15ULL) >> 40); }

ObjectSlot& slot_for(uint64_t address) {
  Runtime& r = R();
  ObjectSlot* table = r.object_table + r.object_slots;
  uint32_t mask = r.object_slots - 1, i = hash_of(address) & mask;
  while (table[i].run == r.run && table[i].index && table[i].address != address) i = (i + 1) & mask;
  return table[i];
}

bool holds(const ObjectSlot& s, uint64_t address) { return s.run == R().run && s.index && s.address == address; }

void enter(ObjectSlot& s, uint64_t address, uint32_t index) {
  s.address = address;
  s.run = R().run;
  s.index = index + 1;
}

// Where a new object is entered: at most half of the slots are taken.
ObjectSlot& new_slot_for(uint64_t address) {
  Runtime& r = R();
  if (2 * r.object_count >= r.object_slots) {
    r.object_slots *= 2;
    for (uint32_t i = 0; i < r.object_count; ++i) enter(slot_for(r.objects[i].address), r.objects[i].address, i);
  }
  return slot_for(address);
}

}  // namespace

void reset_object(Object& o) {
  if (!o.askers.empty()) R().ask_all_again = 1;
  o.type = MutexType::Normal;
  o.owner = wire::kNoThread;
  o.destroyed = 0;
  o.count = o.limit = o.generation = 0;
  o.readers = o.waiters = {};
  o.taken_pc = 0;
  clock_clear(o.clock);
  if (o.kind != Kind::Rwlock) return;
  heddle_rt_memset(o.read_depth, 0, sizeof o.read_depth);
  clock_clear(o.read_clock);
}

Object* find_object(uint64_t address, Kind kind) {
  Runtime& r = R();
  ObjectSlot& s = slot_for(address);
  if (holds(s, address)) {
    Object& o = r.objects[s.index - 1];
    if (o.kind != kind) {  // the memory has become something else
      o.kind = kind;
      o.is_private = is_private_object(o.name, kind);
      reset_object(o);
    }
    if (captures()) touch_object(o);
    return &o;
  }
  if (r.object_count >= kMaxObjects) fatal("more than 262,144 synchronisation objects and atomic variables in one run");
  Object& o = r.objects[r.object_count];
  o.askers = {};
  o.address = address;
  o.kind = kind;
  o.name = name_of(address);
  o.is_private = is_private_object(o.name, kind);
  reset_object(o);
  o.print = {};
  o.stale = 0;
  o.order_block = 0;
  enter(new_slot_for(address), address, r.object_count);
  ++r.object_count;
  if (captures()) touch_object(o);
  return &o;
}

// Objects that were used before main got their names before it was known what is loaded where.
void name_objects() {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.object_count; ++i) {
    r.objects[i].name = name_of(r.objects[i].address);
    r.objects[i].is_private = is_private_object(r.objects[i].name, r.objects[i].kind);
  }
}

void objects_begin_run() {
  Runtime& r = R();
  r.object_count = 0;
  for (uint32_t i = 0; i < r.base.object_count; ++i) {
    r.objects[i] = r.base.objects[i];
    r.objects[i].order_block = 0;
    enter(new_slot_for(r.objects[i].address), r.objects[i].address, i);
    r.object_count = i + 1;
  }
}

}  // namespace heddle::rt

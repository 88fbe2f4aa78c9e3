// Variables: plain and atomic accesses. Every change is counted, so that an await knows whether there was one.
#include "target/scripted/machine.h"

namespace heddle::scripted {

bool Machine::has_changed(const Thread& t) const {
  return t.watched >= 0 && variables_[index(t.watched)].version != t.version;
}

void Machine::write(Variable& v, std::int32_t value) {
  if (v.value != value) ++v.version;
  v.value = value;
}

bool Machine::would_fail(int thread) const {
  const Instruction& i = at(thread);
  return i.code == Code::Cas && variables_.at(index(object_of(thread, i))).value != i.other;
}

// wire::kToldValueBytes
std::uint64_t Machine::told_value(int thread, const Instruction& i) const {
  const bool exchanges = i.code == Code::Cas;
  return static_cast<std::uint64_t>(exchanges ? i.other : variables_.at(index(object_of(thread, i))).value);
}

int Machine::access(int thread, const Instruction& i) {
  Thread& t = threads_[index(thread)];
  const int x = object_of(thread, i);
  Variable& v = variables_.at(index(x));
  const bool atomic = i.code != Code::Load && i.code != Code::Store;
  const std::int32_t old = v.value;
  const bool exchanged = i.code == Code::Cas && old == i.other;
  const bool writes = i.code == Code::Store || i.code == Code::AtomicStore || i.code == Code::AtomicAdd || exchanged;
  if (watch_races_) {
    const bool reads = i.code != Code::Store && i.code != Code::AtomicStore;
    if (atomic && reads) watch_.acquire(thread, v.clock);
    watch_.access(thread, x, writes, atomic, variable_address(x), pc(thread), steps_, reports_);
    if (atomic && writes) watch_.release(thread, v.clock);
  }
  switch (i.code) {
    case Code::Load: case Code::AtomicLoad: t.reg[i.reg] = old; break;
    case Code::AtomicAdd: t.reg[i.reg] = old; write(v, old + value_of(thread, i)); break;
    case Code::Cas:
      t.reg[i.reg] = exchanged;
      if (!exchanged) break;
      v.value = value_of(thread, i);
      ++v.version;
      break;
    default: write(v, value_of(thread, i));
  }
  t.watched = x;
  t.version = v.version;
  if (x < kMostAwaited) {
    t.versions[index(x)] = v.version;
    t.read_at[index(x)] = t.operations;
  }
  return i.code == Code::Cas ? exchanged : v.value != old;
}

}  // namespace heddle::scripted

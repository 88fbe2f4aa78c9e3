// Causality of memory: reads, writes, and waits for a change. An Await that names no location reads everything.
#include "model/causality.h"

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using namespace wire::dependency;
using wire::OpClass;

void Causality::relate_read(const OpView& v, Address at, std::uint32_t n) {
  if (v.op == Op::Await && v.object == 0) return writes_.each([&](std::uint32_t e) { races_with(e); });
  const std::uint32_t o = objects_.find(OpClass::Memory, at, n);
  for (std::size_t k = 0; k < objects_[o].overlapping.size(); ++k) races_with(objects_[objects_[o].overlapping[k]].last);
}

void Causality::relate_write(const OpView& v) {
  const std::uint32_t o = objects_.find(OpClass::Memory, v.object, bytes(v));
  for (std::size_t k = 0; k < objects_[o].overlapping.size(); ++k) {
    const ObjectHistory& other = objects_[objects_[o].overlapping[k]];
    races_with(other.last);
    other.shared.each([&](std::uint32_t e) { races_with(e); });
  }
  anywhere_awaits_.each([&](std::uint32_t e) { races_with(e); });
}

void Causality::remember_memory(std::uint32_t i) {
  const Event& e = trace_->events[i];
  const OpView v = view_of(e);
  if (e.op == Op::Await && e.object == 0) return anywhere_awaits_.put(i, e.thread);
  ObjectHistory& o = objects_.at(OpClass::Memory, e.object, bytes(v));
  if (e.op == Op::FutexWait || role_of(v) == kMemRead) return o.shared.put(i, e.thread);
  o.last = i;
  o.shared.clear();
  writes_.put(i, e.thread);
}

}  // namespace heddle

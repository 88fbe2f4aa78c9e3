#include "model/object_history.h"

#include <algorithm>

namespace heddle {
namespace {
constexpr std::size_t kForgetAbove = 1 << 18;  // objects of runs long gone: addresses that depend on the schedule
}

void ObjectTable::begin_run() {
  ++stamp_;
  if (objects_.size() < kForgetAbove) return;
  objects_.clear();
  by_address_.clear();
  widest_ = 0;
  std::fill(slots_.begin(), slots_.end(), kNoEvent);
}

std::uint64_t ObjectTable::hash(wire::OpClass cls, Address address, std::uint32_t size) {
  std::uint64_t h = (address ^ (static_cast<std::uint64_t>(cls) << 40) ^ (static_cast<std::uint64_t>(size) << 32)) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29);
}

std::uint32_t ObjectTable::find(wire::OpClass cls, Address address, std::uint32_t size) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash(cls, address, size) & mask;; i = (i + 1) & mask) {
    const std::uint32_t at = slots_[i];
    if (at == kNoEvent) return insert(cls, address, size);
    ObjectHistory& o = objects_[at];
    if (o.address != address || o.cls != cls || o.size != size) continue;
    if (o.stamp != stamp_) refresh(o);
    return at;
  }
}

std::uint32_t ObjectTable::insert(wire::OpClass cls, Address address, std::uint32_t size) {
  const auto added = static_cast<std::uint32_t>(objects_.size());
  ObjectHistory& o = objects_.emplace_back();
  o.cls = cls;
  o.address = address;
  o.size = size;
  o.stamp = stamp_;
  if (objects_.size() * 2 > slots_.size()) {
    grow();
  } else {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(cls, address, size) & mask;
    while (slots_[i] != kNoEvent) i = (i + 1) & mask;
    slots_[i] = added;
  }
  if (cls == wire::OpClass::Memory) note_overlaps(added);
  return added;
}

// Histories of runs before are noted too: they are empty unless touched in this run.
void ObjectTable::note_overlaps(std::uint32_t added) {
  const Address from = objects_[added].address;
  const Address to = from + objects_[added].size;
  widest_ = std::max(widest_, objects_[added].size);
  objects_[added].overlapping.push_back(added);
  auto it = std::lower_bound(by_address_.begin(), by_address_.end(), std::pair<Address, std::uint32_t>{from >= widest_ ? from - widest_ : 0, 0});
  for (; it != by_address_.end() && it->first < to; ++it) {
    ObjectHistory& other = objects_[it->second];
    if (other.address + other.size <= from) continue;
    other.overlapping.push_back(added);
    objects_[added].overlapping.push_back(it->second);
  }
  const std::pair<Address, std::uint32_t> entry{from, added};
  by_address_.insert(std::lower_bound(by_address_.begin(), by_address_.end(), entry), entry);
}

void ObjectTable::grow() {
  slots_.assign(slots_.size() * 2, kNoEvent);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t k = 0; k < objects_.size(); ++k) {
    std::size_t i = hash(objects_[k].cls, objects_[k].address, objects_[k].size) & mask;
    while (slots_[i] != kNoEvent) i = (i + 1) & mask;
    slots_[i] = k;
  }
}

}  // namespace heddle

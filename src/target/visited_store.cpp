#include "target/visited_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace heddle {

// While a table grows, it exists together with one of half its size.
std::uint64_t VisitedStore::largest_table(std::uint64_t most_bytes) {
  return std::bit_floor(std::max(most_bytes / 3 * 2, kSmallestBytes));
}

std::uint64_t VisitedStore::region_bytes(std::uint64_t most_bytes) {
  return most_bytes == 0 ? 0 : 2 * largest_table(most_bytes);
}

VisitedStore::VisitedStore(wire::Visited* header, unsigned char* region, std::uint64_t region_offset, std::uint64_t most_bytes)
    : header_(header),
      region_(most_bytes == 0 ? nullptr : region),
      region_offset_(region_offset),
      most_bytes_(largest_table(most_bytes)),
      bytes_(kSmallestBytes) {}

void VisitedStore::give_back(std::uint64_t table_bytes) { madvise(region_ + table_bytes, table_bytes, MADV_REMOVE); }

void VisitedStore::clear() {
  if (!exists()) return;
  give_back(bytes_);
  bytes_ = kSmallestBytes;
  used_ = 0;
  ++searches_;
  show();
}

void VisitedStore::show() {
  *header_ = wire::Visited{};
  if (!exists()) return;
  header_->offset = region_offset_ + bytes_;
  header_->slots = slot_count();
  header_->searches = searches_;
}

bool VisitedStore::grow() {
  if (bytes_ * 2 > most_bytes_) return false;
  const std::uint64_t old_count = slot_count();
  const wire::Fingerprint* old = slots();
  bytes_ *= 2;
  used_ = 0;
  wire::VisitedTable larger = table();
  for (std::uint64_t i = 0; i < old_count; ++i) {
    if (!old[i].is_none()) larger.insert(old[i]);
  }
  give_back(bytes_ / 2);
  show();
  return true;
}

bool VisitedStore::insert(wire::Fingerprint state) {
  using Insert = wire::VisitedTable::Insert;
  Insert done = table().insert(state);
  if (done == Insert::Full && grow()) done = table().insert(state);
  return done != Insert::Full;
}

}  // namespace heddle

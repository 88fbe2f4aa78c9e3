// The explorer's side of the visited table (wire/visited_table.h): where it lies in the segment, how it grows, when it is full.
//
// A table of b bytes, a power of two, lies at [b, 2b) of its region: tables of different sizes never overlap, so the next one is filled from the
// last, whose memory is then given back. Memory is committed as it is used. The target only ever looks: what a run has
// passed is inserted here when its trace has arrived, so a run that is lost with its process leaves nothing behind.
#pragma once
#include <cstdint>

#include "wire/visited_table.h"
#include "wire/wire.h"

namespace heddle {

class VisitedStore {
 public:
  static constexpr std::uint64_t kSmallestBytes =
      1 << 12;  // a page: most searches store few states, and touching pages takes time

  // How much of the address space a table bounded by `most_bytes` of memory needs.
  static std::uint64_t region_bytes(std::uint64_t most_bytes);

  VisitedStore() = default;
  // `header` and `region` belong to the segment at `segment`; `most_bytes` 0: no table.
  VisitedStore(wire::Visited* header, unsigned char* region, std::uint64_t region_offset, std::uint64_t most_bytes);

  bool exists() const { return region_ != nullptr; }
  void clear();                         // a new search
  void show();                          // tell a new target where the table is
  bool insert(wire::Fingerprint state);  // false: it is new and there is no room for it
  std::uint64_t states() const { return used_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static std::uint64_t largest_table(std::uint64_t most_bytes);
  wire::VisitedTable table() { return {slots(), slot_count(), &used_, slot_count() / 4 * 3}; }
  wire::Fingerprint* slots() const { return reinterpret_cast<wire::Fingerprint*>(region_ + bytes_); }
  std::uint64_t slot_count() const { return bytes_ / sizeof(wire::Fingerprint); }
  bool grow();
  void give_back(std::uint64_t table_bytes);

  wire::Visited* header_ = nullptr;
  unsigned char* region_ = nullptr;
  std::uint64_t region_offset_ = 0;  // within the segment
  std::uint64_t most_bytes_ = 0;     // of a table
  std::uint64_t bytes_ = 0;          // of the present one
  std::uint64_t used_ = 0;
  std::uint64_t searches_ = 0;
};

}  // namespace heddle

// A search that was interrupted, as a file: all that is needed to go on with it.
//
// The file is a header (format, version, length and checksum of the rest) and a body. It is written under another name, flushed to the
// disk and renamed: whoever reads finds the old one or the new one, whole. What a reader cannot trust it refuses: a file that was cut
// short or altered, one of another version, one of another search.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dist/balancer.h"

namespace heddle {

inline constexpr std::uint32_t kCheckpointVersion = 6;

// What a search is of: name and value, in words that a user knows ("--algorithm", "optimal").
using SearchFacts = std::vector<std::pair<std::string, std::string>>;

struct Checkpoint {
  SearchFacts facts;
  Balancer::Saved search;
  std::vector<Suspect> findings;       // confirmed ones; they are run again when the search goes on
  std::vector<std::string> signatures;  // seen, and found to be one of those
  std::vector<std::string> notes;
  std::vector<UncoveredNote> uncovered;
  std::vector<OrderPair> order_pairs;
  std::uint64_t losses = 0;            // of workers
  double elapsed_s = 0;
};

template <class Archive> void describe(Archive& a, Checkpoint& c) {
  a(c.facts)(c.search)(c.findings)(c.signatures)(c.notes)(c.uncovered)(c.order_pairs)(c.losses)(c.elapsed_s);
}

Bytes to_file(const Checkpoint& checkpoint);
Result<Checkpoint> from_file(const Bytes& bytes, const std::string& name);

// Can it be written, and is what it would replace ours to replace?
Status check_writable(const std::string& path);
Status write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

Result<Checkpoint> read_checkpoint(const std::string& path);

// Refuses one of another search than that of `facts`, and names the difference.
Status check_same_search(const Checkpoint& checkpoint, const SearchFacts& facts, const std::string& name);

}  // namespace heddle

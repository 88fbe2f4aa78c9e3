// The tree of work of a recorded search (explore/tree_recorder.h).
//
// Runs are numbered in the order of the search, which is depth-first: what lies behind a branch are the runs from the one that
// first takes it up to the next one that leaves the path at that depth or above.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explore/tree_recorder.h"

namespace heddle::simulation {

using Run = std::uint32_t;

class Tree {
 public:
  // A run that took a hundred times as long as the median is taken to have been interrupted, and counts as that long.
  static Result<Tree> load(const std::string& file);

  std::size_t size() const { return runs_.size(); }
  std::uint32_t depth(Run r) const { return runs_[r].depth; }
  std::uint64_t cost_ns(Run r) const { return runs_[r].cost_ns; }
  Run parent(Run r) const { return parent_[r]; }           // whose path it leaves. REQUIRES r > 0
  std::uint16_t place(Run r) const { return place_[r]; }   // among the branches of that state; 0 is the parent's own
  std::span<const Run> found_by(Run r) const { return {found_.data() + first_found_[r], found_.data() + first_found_[r + 1]}; }
  std::uint64_t total_ns() const { return total_ns_; }
  std::size_t interrupted() const { return interrupted_; }  // runs of the recording

 private:
  explicit Tree(std::vector<RecordedRun> runs);

  std::vector<RecordedRun> runs_;
  std::vector<Run> parent_, found_, first_found_;
  std::vector<std::uint16_t> place_;
  std::uint64_t total_ns_ = 0;
  std::size_t interrupted_ = 0;
};

}  // namespace heddle::simulation

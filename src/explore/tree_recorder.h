// Writes down the tree of work of a search: for each run where it left the path before it, how long it was, which run asked for it and
// what it cost. bench/ddpor --simulate divides such a tree among thousands of workers. Wraps a search, and changes nothing about it.
//
// The file: kMagic, then one Run after the other in the order of the search, as the machine keeps them.
#pragma once
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>

#include "explore/reduction/reversal_search.h"

namespace heddle {

struct RecordedRun {
  std::uint32_t depth = 0;       // of the state where it leaves the run before
  std::uint32_t length = 0;      // in steps
  std::uint32_t planned_by = 0;  // number of the run in which it was seen to be needed; 0 for the first
  std::uint32_t cost_ns = 0;     // processor time of program, analysis and all
};

class TreeRecorder final : public Reduction {
 public:
  static constexpr char kMagic[] = "heddle tree 1\n";
  using Clock = std::function<std::uint64_t()>;  // processor time spent so far, in ns

  // `file` is begun anew. It outlives the recorder.
  TreeRecorder(std::unique_ptr<ReversalSearch> search, std::FILE* file, Clock clock);

  std::string_view name() const override { return search_->name(); }
  std::optional<Request> next() override { return search_->next(); }
  void learn(const Request& request, const Trace& trace) override;
  void heed(const StopPoll& poll) override { search_->heed(poll); }
  bool covers_step_bound() const override { return search_->covers_step_bound(); }
  Progress progress() const override { return search_->progress(); }

 private:
  std::unique_ptr<ReversalSearch> search_;
  std::FILE* file_;
  Clock clock_;
  std::uint64_t spent_;
};

}  // namespace heddle

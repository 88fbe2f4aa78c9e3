// A worker whose units are parts of a search tree (explore/reduction/unit.h).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dist/foresight.h"
#include "dist/worker.h"
#include "explore/reduction/reversal_search.h"

namespace heddle {

class ReversalWorker final : public Worker {
 public:
  using MakeReduction = std::function<std::unique_ptr<Reduction>()>;

  // REQUIRES that `make` answers a ReversalSearch, or what iterates one (Reduction::with_bound): no other algorithm can be divided.
  ReversalWorker(const Config& config, Program& program, MakeReduction make, Link& link, Pace pace)
      : Worker(config, program, link, pace), make_(std::move(make)), foresee_(pace.foresee), steps_a_cut_(pace.steps_a_cut) {
    take_up({});
  }

 private:
  Status begin(const Command& command) override;
  void step() override;
  bool can_unload(std::uint32_t threshold) const override {
    return search_->owes_at_most(threshold + 1) > threshold && search_->size_of_cut() <= steps_a_cut_;
  }
  double promised_runs() const override;
  void unload() override;
  void take_snapshot() override;
  void complete_report() override;
  bool has_news() const override { return search_->has_reversals(); }

  void take_up(const Terms& terms);
  Tally settled_at(std::size_t floor) const;

  MakeReduction make_;
  std::unique_ptr<ReversalSearch> search_;  // as terms_ have it
  std::optional<Foresight> foresight_;  // of search_
  const std::size_t foresee_, steps_a_cut_;
  Terms terms_;
  Unit unit_;
  bool first_ = false;          // no run of the unit has been made
  struct Mark {
    std::size_t depth;          // a run left the path here,
    Tally before;               // and so much had been done then
  };
  std::vector<Mark> marks_;     // ascending depth
};

}  // namespace heddle

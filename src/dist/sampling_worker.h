// A worker whose units are slices of the seeds of a sampling search.
#pragma once
#include <deque>
#include <memory>

#include "dist/worker.h"

namespace heddle {

class SamplingWorker final : public Worker {
 public:
  using MakeReduction = std::function<std::unique_ptr<Reduction>()>;

  SamplingWorker(const Config& config, Program& program, MakeReduction make, Link& link, Pace pace)
      : Worker(config, program, link, pace), make_(std::move(make)) {}

 private:
  Status begin(const Command& command) override;
  void step() override;
  void abandon() override;
  void complete_report() override;

  Status ask_ahead();

  MakeReduction make_;
  std::unique_ptr<Reduction> sampling_;  // one for each slice
  std::uint64_t next_ = 0;               // the run that it says next
  Slice slice_;
  std::deque<Request> asked_;
};

}  // namespace heddle

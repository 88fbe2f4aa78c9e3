// The runs of a sampling search, numbered, in slices. Run n is a function of --seed and n, and for PCT of a horizon: the length of the
// longest run before those that share it (explore/reduction/sampling.h). So any number of workers makes the same runs as one. Where a
// new horizon begins, everybody waits for the runs before it; that is at every power of two.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "dist/frontier.h"

namespace heddle {

class Seeds final : public Frontier {
 public:
  using HorizonBegins = std::function<bool(std::uint64_t run)>;

  explicit Seeds(std::optional<std::uint64_t> most, HorizonBegins horizon_begins = [](std::uint64_t) { return false; })
      : most_(most), horizon_begins_(std::move(horizon_begins)) {}
  bool restore(const Bytes& saved);  // false: it makes no sense

  bool finished() const override { return most_ && next_ >= *most_ && given_.empty() && returned_.empty(); }
  std::size_t waiting() const override { return returned_.size(); }
  std::size_t given() const override { return given_.size(); }
  bool holds(UnitId id) const override { return given_.contains(id); }
  std::optional<Command> hand_out() override;
  void take_back(UnitId id) override;
  bool apply(const Report& report) override;
  double seen(const std::function<double(UnitId)>& within) const override;
  std::vector<SampledRuns> sampled() const override;
  Bytes save() const override;

 private:
  std::optional<Slice> next_slice();
  void note(const SampledRuns& slice, std::uint32_t horizon);

  std::optional<std::uint64_t> most_;
  HorizonBegins horizon_begins_;
  std::uint64_t next_ = 0;  // runs from here on have not been given out
  std::map<UnitId, Slice> given_;
  std::vector<Slice> returned_;
  UnitId next_id_ = 1;
  SampledRuns sum_;                                  // of finished slices; `covering` is made of the next
  std::map<std::uint32_t, std::uint64_t> runs_with_;  // horizon → finished runs
  std::uint32_t horizon_ = 0;                        // of the runs that are given out now
};

}  // namespace heddle

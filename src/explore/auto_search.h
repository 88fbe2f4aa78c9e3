// What `--algorithm auto` decides while a search goes on: to explore everything, or to make the most of a limit that cannot suffice.
//
// It begins with an exhaustive search. From time to time it compares what the whole search would need, by the search's own estimate and
// the pace so far, with what the limits (--timeout, --max-executions) allow:
//
//   so much of the limit is spent   sampling takes over if the search would need more than
//   10 %                            10 × the limit
//   25 %                             4 × the limit
//   50 %                          1.25 × the limit
//   80 %                             1 × the limit
//
// Early on the estimate is rough, so that only a hopeless case is given up; the later, the less doubt is left, and the less there is to gain
// from waiting. In the first two rows at least 64 runs must have been made. What is left of the limit goes into samplers in turn.
// The verdict is then `incomplete` at best: sampling never verifies.
//
// To have it choose among more algorithms: begin() makes the first one, reconsider() the next. All that it knows of a search is in Spent and
// Progress. It is never asked twice for the same run, and looks at no clock.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "explore/config.h"
#include "explore/reduction/reduction.h"

namespace heddle {

struct Spent {
  double time_s = 0;
  std::uint64_t runs = 0;
};

class AutoSearch {
 public:
  explicit AutoSearch(const Config& config) : config_(config) {}  // outlives us

  // At the start, and whenever the search has to start over with more visible operations.
  std::unique_ptr<Reduction> begin(const Spent& spent);

  // After a run. Another reduction to go on with, or nothing: go on as it is.
  std::unique_ptr<Reduction> reconsider(const Spent& spent, const Reduction& current);

  // So much time has just gone into something else: spent, but not by this search.
  void set_aside(double time_s) { begun_.time_s += time_s; }

  bool is_sampling() const { return sampling_; }
  const std::string& reason() const { return reason_; }  // of the last change, a line for the user

 private:
  double share_of(const Spent& spent) const;
  double needed(const Spent& spent, const Reduction& current) const;

  const Config& config_;
  Spent begun_{};
  double next_look_ = 0;  // share of the limits
  bool sampling_ = false;
  std::string reason_;
};

}  // namespace heddle

// What is left of a search, in parts that can be given out: the trunk of a search tree, or the seeds of a sampling search.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "dist/messages.h"

namespace heddle {

class Frontier {
 public:
  virtual ~Frontier() = default;

  virtual bool finished() const = 0;
  virtual std::size_t waiting() const = 0;  // parts that nobody holds
  virtual std::size_t given() const = 0;
  virtual bool holds(UnitId id) const = 0;  // given out, and not finished

  virtual std::optional<Command> hand_out() = 0;  // a waiting part, as a Command::Kind::Explore. ENSURES holds(id)
  virtual void take_back(UnitId id) = 0;          // its worker is lost: it waits again. REQUIRES holds(id)
  virtual bool apply(const Report& report) = 0;   // what its worker says. REQUIRES holds(report.id). False: it makes no sense

  virtual std::uint32_t depth_of(UnitId) const { return 0; }
  virtual bool can_be_cut() const { return false; }  // a part that is given out can give a part of itself away
  // How much of the search has been seen, from 0 to 1; `within` answers that for parts that are given out. 0: unknown.
  virtual double seen(const std::function<double(UnitId)>& within) const = 0;

  virtual std::uint64_t made_twice() const { return 0; }  // executions that were made by two parts, as far as they are settled

  virtual std::vector<SampledRuns> sampled() const { return {}; }  // of a sampling search: what its runs are worth

  virtual Bytes save() const = 0;  // all that is not finished, parts that are given out as waiting
};

}  // namespace heddle

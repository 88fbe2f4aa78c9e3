// The shared-memory segment, as the explorer owns it. It outlives the target: thread names and visible ranges stay.
#pragma once
#include <cstdint>

#include "base/result.h"
#include "base/unique_fd.h"
#include "target/visited_store.h"
#include "wire/ring.h"
#include "wire/wire.h"

namespace heddle {

class Segment {
 public:
  static constexpr std::uint64_t kRequestBytes = 16ULL << 20;
  static constexpr std::uint64_t kTraceBytes = 128ULL << 20;

  // `max_steps`: the trace ring is made large enough for two runs of that length. `visited_bytes`: bound of the visited table; 0: none.
  static Result<Segment> create(const wire::Options& options, std::uint64_t max_steps, std::uint64_t visited_bytes = 0);

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;
  ~Segment();

  int fd() const { return fd_.get(); }
  wire::Segment& header() { return *header_; }
  const wire::Segment& header() const { return *header_; }
  const wire::RingView& requests() const { return requests_; }
  const wire::RingView& traces() const { return traces_; }
  VisitedStore& visited() { return visited_; }
  const VisitedStore& visited() const { return visited_; }

  // For a new target: empty rings, nothing ready, our own header again whatever the last one did to it.
  // REQUIRES no target is running.
  void prepare(const wire::Options& options);

 private:
  Segment() = default;
  void place_ring(wire::Ring& ring, const wire::RingView& view);

  UniqueFd fd_;
  wire::Segment* header_ = nullptr;
  std::uint64_t bytes_ = 0;
  wire::RingView requests_, traces_;
  VisitedStore visited_;
};

}  // namespace heddle

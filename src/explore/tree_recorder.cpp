#include "explore/tree_recorder.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

namespace heddle {

TreeRecorder::TreeRecorder(std::unique_ptr<ReversalSearch> search, std::FILE* file, Clock clock)
    : search_(std::move(search)), file_(file), clock_(std::move(clock)), spent_(clock_()) {
  std::rewind(file_);
  [[maybe_unused]] const int emptied = ftruncate(fileno(file_), 0);
  std::fputs(kMagic, file_);
}

void TreeRecorder::learn(const Request& request, const Trace& trace) {
  const auto depth = static_cast<std::uint32_t>(search_->branching());
  const std::uint32_t planned_by = search_->planned_by();
  search_->learn(request, trace);
  const std::uint64_t now = clock_();
  const std::uint64_t cost = std::min<std::uint64_t>(now - spent_, std::numeric_limits<std::uint32_t>::max());
  spent_ = now;
  const RecordedRun run{depth, static_cast<std::uint32_t>(trace.events.size()), planned_by, static_cast<std::uint32_t>(cost)};
  std::fwrite(&run, sizeof run, 1, file_);
}

}  // namespace heddle

#include "dist/seeds.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

constexpr std::uint64_t kSmallest = 16, kLargest = 1 << 16;
constexpr std::uint64_t kParts = 32;  // a slice is at most this part of what was done before, and of what is left

struct Saved {
  std::uint64_t next = 0;
  std::vector<Slice> open;
  std::optional<SampledRuns> sum;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> runs_with;
  std::uint32_t horizon = 0;
};
template <class Archive> void describe(Archive& a, Saved& s) { a(s.next)(s.open)(s.sum)(s.runs_with)(s.horizon); }

}  // namespace

// Small at first, so that everybody has something soon; growing with the search; small again at its end.
std::optional<Slice> Seeds::next_slice() {
  if (most_ && next_ >= *most_) return std::nullopt;
  if (horizon_begins_(next_)) {
    if (!given_.empty() || !returned_.empty()) return std::nullopt;
    horizon_ = static_cast<std::uint32_t>(sum_.steps);
  }
  std::uint64_t most = std::clamp(next_ / kParts, kSmallest, kLargest);
  if (most_) most = std::min({most, std::max(kSmallest, (*most_ - next_) / kParts), *most_ - next_});
  Slice slice{next_, 1, horizon_};
  while (slice.count < most && !horizon_begins_(next_ + slice.count)) ++slice.count;
  return slice;
}

std::optional<Command> Seeds::hand_out() {
  std::optional<Slice> slice;
  if (!returned_.empty()) {
    slice = returned_.back();
    returned_.pop_back();
  } else {
    slice = next_slice();
    if (!slice) return std::nullopt;
    next_ += slice->count;
  }
  Command command;
  command.kind = Command::Kind::Explore;
  command.id = next_id_++;
  command.slice = *slice;
  given_[command.id] = *slice;
  return command;
}

void Seeds::take_back(UnitId id) {
  const auto it = given_.find(id);
  HEDDLE_CHECK(it != given_.end(), "a slice that nobody holds");
  returned_.push_back(it->second);
  given_.erase(it);
}

bool Seeds::apply(const Report& report) {
  if (report.cut || report.snapshot || !report.path.empty() || !report.reversals.empty()) return false;
  if (!report.finished) return true;
  if (!report.sampled) return false;
  note(*report.sampled, given_.at(report.id).horizon);
  given_.erase(report.id);
  return true;
}

void Seeds::note(const SampledRuns& slice, std::uint32_t horizon) {
  sum_.sampler = slice.sampler;
  sum_.depth = slice.depth;
  sum_.runs += slice.runs;
  sum_.threads = std::max(sum_.threads, slice.threads);
  sum_.steps = std::max(sum_.steps, slice.steps);
  sum_.chose_data |= slice.chose_data;
  runs_with_[horizon] += slice.runs;
}

std::vector<SampledRuns> Seeds::sampled() const {
  SampledRuns all = sum_;
  if (all.depth != 0)
    for (const auto& [horizon, runs] : runs_with_)
      if (horizon >= all.steps) all.covering += runs;
  return {all};
}

double Seeds::seen(const std::function<double(UnitId)>& within) const {
  if (!most_ || *most_ == 0) return 0;
  double open = 0;
  for (const auto& [id, slice] : given_) open += static_cast<double>(slice.count) * (1 - within(id));
  for (const Slice& slice : returned_) open += static_cast<double>(slice.count);
  return (static_cast<double>(next_) - open) / static_cast<double>(*most_);
}

Bytes Seeds::save() const {
  Saved saved{next_, returned_, sum_, {runs_with_.begin(), runs_with_.end()}, horizon_};
  for (const auto& [id, slice] : given_) saved.open.push_back(slice);
  return to_bytes(saved);
}

bool Seeds::restore(const Bytes& bytes) {
  const std::optional<Saved> saved = from_bytes<Saved>(bytes);
  if (!saved || !saved->sum) return false;
  for (const Slice& slice : saved->open)
    if (slice.count == 0 || slice.count > saved->next || slice.first > saved->next - slice.count) return false;
  next_ = saved->next;
  returned_ = saved->open;
  sum_ = *saved->sum;
  runs_with_ = {saved->runs_with.begin(), saved->runs_with.end()};
  horizon_ = saved->horizon;
  return true;
}

}  // namespace heddle

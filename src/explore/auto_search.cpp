#include "explore/auto_search.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "explore/progress.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/sampling.h"

namespace heddle {
namespace {

struct Rule {
  double spent;   // from this share of the limits on
  double needed;  // a search that needs more than this multiple of them is given up
  std::uint64_t fewest_runs;
};
constexpr std::array kRules = {Rule{0.10, 10, 64}, Rule{0.25, 4, 64}, Rule{0.50, 1.25, 1}, Rule{0.80, 1, 1}};
constexpr double kLookEvery = 0.01;

bool is_hopeless(double spent, double needed, std::uint64_t runs) {
  const auto rule = std::find_if(kRules.rbegin(), kRules.rend(), [&](const Rule& r) { return spent >= r.spent; });
  return rule != kRules.rend() && runs >= rule->fewest_runs && needed > rule->needed;
}

std::string limits_text(const Config& config) {
  std::string text;
  if (config.timeout_s) text += fmt::format("--timeout {:g}", *config.timeout_s);
  if (config.max_executions) text += fmt::format("{}--max-executions {}", text.empty() ? "" : ", ", *config.max_executions);
  return text;
}

}  // namespace

std::unique_ptr<Reduction> AutoSearch::begin(const Spent& spent) {
  begun_ = spent;
  if (sampling_) return mixed_sampling(config_.seed, config_.pct_depth);
  return std::make_unique<Optimal>();
}

std::unique_ptr<Reduction> AutoSearch::reconsider(const Spent& spent, const Reduction& current) {
  const double share = share_of(spent);
  if (sampling_ || share < next_look_) return nullptr;
  next_look_ = share + kLookEvery;
  const double need = needed(spent, current);
  if (!is_hopeless(share, need, spent.runs - begun_.runs)) return nullptr;
  reason_ = fmt::format(
      "{} would need about {} executions, {} times what the limit allows ({}); given up after {}, the rest of the limit goes into sampling",
      current.name(), rough_number(current.progress().estimated_executions), rough_number(need), limits_text(config_), grouped_number(spent.runs));
  sampling_ = true;
  return begin(spent);
}

// Of the limit that will be met first.
double AutoSearch::share_of(const Spent& spent) const {
  double share = 0;
  if (config_.timeout_s) share = spent.time_s / *config_.timeout_s;
  if (config_.max_executions) share = std::max(share, static_cast<double>(spent.runs) / static_cast<double>(*config_.max_executions));
  return share;
}

// What the search will have spent when it is through, as a multiple of the limits: at the pace of its runs so far.
double AutoSearch::needed(const Spent& spent, const Reduction& current) const {
  const auto runs = static_cast<double>(spent.runs - begun_.runs);
  if (runs == 0) return 0;
  const double all = std::max(current.progress().estimated_executions, runs) / runs;
  Spent end = begun_;
  end.time_s += (spent.time_s - begun_.time_s) * all;
  const double total = static_cast<double>(begun_.runs) + runs * all;
  end.runs = total < 1e18 ? static_cast<std::uint64_t>(total) : std::uint64_t{1'000'000'000'000'000'000};
  return share_of(end);
}

}  // namespace heddle

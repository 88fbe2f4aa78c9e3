#include "replay/shorten.h"

#include <utility>

#include "model/preemptions.h"

namespace heddle {
namespace {

using Schedule = std::vector<Choice>;
using Clock = std::chrono::steady_clock;

// A schedule cut where the thread changes.
std::vector<Schedule> blocks_of(const Schedule& choices) {
  std::vector<Schedule> blocks;
  for (Choice choice : choices) {
    if (blocks.empty() || blocks.back().back().thread != choice.thread) blocks.emplace_back();
    blocks.back().push_back(choice);
  }
  return blocks;
}

Schedule joined(const std::vector<Schedule>& blocks) {
  Schedule choices;
  for (const Schedule& block : blocks) choices.insert(choices.end(), block.begin(), block.end());
  return choices;
}

// Only what led up to the bug: steps after it do not make it harder to understand, and they are not ours to tidy.
ScheduleCost cost_of(const Confirmed& confirmed) {
  std::vector<Event> events = confirmed.trace.events;
  if (confirmed.finding.step > 0 && confirmed.finding.step < events.size()) events.resize(confirmed.finding.step);
  return schedule_cost(events);
}

class Shortener {
 public:
  Shortener(Program& program, Confirmed confirmed, ShortenLimits limits)
      : program_(program), wanted_(confirmed.finding), best_(std::move(confirmed)), best_cost_(cost_of(best_)),
        runs_left_(limits.runs), deadline_(Clock::now() + limits.time) {}

  Confirmed shorten() {
    run_on_earlier();
    while (merge_one()) {
    }
    return std::move(best_);
  }

 private:
  bool exhausted() const { return runs_left_ <= 0 || Clock::now() >= deadline_; }

  // The shortest recorded beginning after which the program walks into the bug on its own.
  void run_on_earlier() {
    const std::vector<Schedule> blocks = blocks_of(choices_of(best_.trace));
    Schedule prefix;
    for (const Schedule& block : blocks) {
      if (exhausted() || try_schedule(prefix)) return;
      prefix.insert(prefix.end(), block.begin(), block.end());
    }
  }

  // Pulls one later block of a thread up to its previous block. Restarted after each success: the run is another one then.
  bool merge_one() {
    const std::vector<Schedule> blocks = blocks_of(choices_of(best_.trace));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::size_t j = next_of_same_thread(blocks, i);
      if (j == blocks.size()) continue;
      if (exhausted()) return false;
      std::vector<Schedule> candidate(blocks);
      Schedule moved = std::move(candidate[j]);
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(j));
      candidate.insert(candidate.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(moved));
      if (try_schedule(joined(candidate))) return true;
    }
    return false;
  }

  static std::size_t next_of_same_thread(const std::vector<Schedule>& blocks, std::size_t i) {
    std::size_t j = i + 1;
    while (j < blocks.size() && blocks[j].front().thread != blocks[i].front().thread) ++j;
    return j;
  }

  // Adopts the candidate if its run shows the bug at a lower cost.
  bool try_schedule(const Schedule& candidate) {
    --runs_left_;
    Finding request = wanted_;
    request.choices = candidate;
    Result<Trace> trace = program_.run(detailed_request(request));
    if (!trace || trace->end == wire::End::Diverged) return false;
    std::optional<Finding> found = find_same_bug(*trace, wanted_);
    if (!found) return false;
    Confirmed next{std::move(*found), std::move(*trace)};
    const ScheduleCost cost = cost_of(next);
    if (cost >= best_cost_) return false;
    best_ = std::move(next);
    best_cost_ = cost;
    return true;
  }

  Program& program_;
  const Finding wanted_;
  Confirmed best_;
  ScheduleCost best_cost_;
  int runs_left_;
  Clock::time_point deadline_;
};

}  // namespace

ScheduleCost schedule_cost(const std::vector<Event>& events) {
  ScheduleCost cost;
  cost.steps = events.size();
  for (std::size_t i = 1; i < events.size(); ++i) {
    cost.switches += events[i - 1].thread != events[i].thread;
    cost.preemptions += is_preemption(events, i);
  }
  return cost;
}

Confirmed shorten(Program& program, Confirmed confirmed, ShortenLimits limits) {
  return Shortener(program, std::move(confirmed), limits).shorten();
}

}  // namespace heddle

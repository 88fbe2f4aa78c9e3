#include "bench/ddpor_simulator/tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace heddle::simulation {
namespace {

constexpr std::uint64_t kLongestInMedians = 100;

// Runs of one search differ by small factors. One that took a hundred times as long as most was interrupted by the machine that recorded it (a
// virtual one counts what others took as the process's own time). How many there were.
std::size_t shorten_interruptions(std::vector<RecordedRun>& runs) {
  std::vector<std::uint32_t> costs;
  for (const RecordedRun& run : runs) costs.push_back(run.cost_ns);
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  const std::uint64_t longest = kLongestInMedians * *middle;
  std::size_t interrupted = 0;
  for (RecordedRun& run : runs) {
    if (run.cost_ns <= longest) continue;
    run.cost_ns = static_cast<std::uint32_t>(longest);
    ++interrupted;
  }
  return interrupted;
}

}  // namespace

Result<Tree> Tree::load(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string magic(sizeof TreeRecorder::kMagic - 1, 0);
  in.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (!in || magic != TreeRecorder::kMagic) return Error{file + " is not a recorded tree", "make one with heddle check --record-tree"};
  std::vector<RecordedRun> runs;
  for (RecordedRun run; in.read(reinterpret_cast<char*>(&run), sizeof run);) runs.push_back(run);
  if (runs.empty()) return Error{file + " has no runs", "make another with heddle check --record-tree"};
  const std::size_t shortened = shorten_interruptions(runs);
  Tree tree(std::move(runs));
  tree.interrupted_ = shortened;
  return tree;
}

Tree::Tree(std::vector<RecordedRun> runs) : runs_(std::move(runs)), parent_(runs_.size()), first_found_(runs_.size() + 2), place_(runs_.size()) {
  struct State {
    Run owner;                // the run that came here first
    std::uint16_t branches;   // so far
  };
  std::vector<State> path;    // of the current run, by depth
  for (Run r = 0; r < runs_.size(); ++r) {
    RecordedRun& run = runs_[r];
    total_ns_ += run.cost_ns;
    if (r > 0) {
      HEDDLE_CHECK(run.depth < path.size(), "a run that leaves a path behind its end");
      path.resize(run.depth + 1);
      parent_[r] = path.back().owner;
      place_[r] = ++path.back().branches;
      // Planned along with a path that had not been run yet: known as soon as that is.
      run.planned_by = std::max(run.planned_by, parent_[r]);
      ++first_found_[run.planned_by + 2];
    }
    path.resize(std::max<std::size_t>(run.length, run.depth + 1), {r, 0});
  }
  for (std::size_t i = 2; i < first_found_.size(); ++i) first_found_[i] += first_found_[i - 1];
  found_.resize(runs_.size() - 1);
  for (Run r = 1; r < runs_.size(); ++r) found_[first_found_[runs_[r].planned_by + 1]++] = r;
}

}  // namespace heddle::simulation

#include "explore/reduction/registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.h"
#include "explore/reduction/dfs.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/sampling.h"
#include "explore/reduction/source.h"

namespace heddle {
namespace {

std::unique_ptr<Reduction> make_dfs(const Config&) { return std::make_unique<Dfs>(); }
std::unique_ptr<Reduction> make_optimal(const Config&) { return std::make_unique<Optimal>(); }
std::unique_ptr<Reduction> make_source(const Config&) { return std::make_unique<Source>(); }
std::unique_ptr<Reduction> make_dpor(const Config& config) { return std::make_unique<Dpor>(config.sleep_sets, config.update); }
std::unique_ptr<Reduction> make_pct(const Config& config) { return std::make_unique<PctSampling>(config.seed, config.pct_depth); }
std::unique_ptr<Reduction> make_pos(const Config& config) { return std::make_unique<Sampling>(wire::Policy::Pos, config.seed); }
std::unique_ptr<Reduction> make_random(const Config& config) { return std::make_unique<Sampling>(wire::Policy::Random, config.seed); }

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> kAlgorithms = {
      {"auto", "optimal; sampling for the rest of the limits, when they cannot suffice", make_optimal},
      {"optimal", "one run for each Mazurkiewicz trace", make_optimal},
      {"source", "source sets: every trace, few repetitions", make_source},
      {"dpor", "dynamic partial order reduction with backtrack sets (see --sleep-sets)", make_dpor},
      {"dfs", "every interleaving", make_dfs},
      {"random", "random walks from --seed, until a limit", make_random, true},
      {"pct", "random priorities with few changes, until a limit", make_pct, true},
      {"pos", "partial order sampling, until a limit", make_pos, true},
  };
  return kAlgorithms;
}

Result<Algorithm> find_algorithm(const std::string& name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  const auto meant = nearest(name, names);
  return Error{fmt::format("there is no algorithm '{}'", name),
               meant ? fmt::format("did you mean --algorithm {}?", *meant)
                     : fmt::format("choose one of: {}", fmt::join(names, ", "))};
}

}  // namespace heddle

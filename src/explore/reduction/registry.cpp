#include "explore/reduction/registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.h"
#include "explore/reduction/de_spor.h"
#include "explore/reduction/dfs.h"
#include "explore/reduction/dl_spor.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/o_dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/sampling.h"
#include "explore/reduction/sdpor.h"
#include "explore/reduction/source.h"
#include "explore/reduction/spor.h"
#include "explore/reduction/stateful_dfs.h"

namespace heddle {
namespace {

StatefulOptions stateful_options(const Config& config) {
  return {.order = config.order, .races = config.races != Races::Ignore, .livelocks = config.livelocks};
}

std::unique_ptr<Reduction> make_dfs(const Config& config) {
  if (stores_states(config)) return std::make_unique<StatefulDfs>(stateful_options(config));
  return std::make_unique<Dfs>();
}
std::unique_ptr<Reduction> make_spor(const Config& config) { return std::make_unique<Spor>(stateful_options(config)); }
std::unique_ptr<Reduction> make_dl_spor(const Config& config) { return std::make_unique<DlSpor>(stateful_options(config), config.dl, config.safe_sets); }
std::unique_ptr<Reduction> make_de_spor(const Config& config) { return std::make_unique<DeSpor>(stateful_options(config), config.safe_sets); }
std::unique_ptr<Reduction> make_sdpor(const Config& config) { return std::make_unique<Sdpor>(stateful_options(config)); }
std::unique_ptr<Reduction> make_o_dpor(const Config& config) { return std::make_unique<ODpor>(stateful_options(config)); }
std::unique_ptr<Reduction> make_optimal(const Config&) { return std::make_unique<Optimal>(); }
std::unique_ptr<Reduction> make_source(const Config&) { return std::make_unique<Source>(); }
std::unique_ptr<Reduction> make_dpor(const Config& config) { return std::make_unique<Dpor>(config.sleep_sets, config.update); }
std::unique_ptr<Reduction> make_pct(const Config& config) { return std::make_unique<PctSampling>(config.seed, config.pct_depth); }
std::unique_ptr<Reduction> make_pos(const Config& config) { return std::make_unique<Sampling>(wire::Policy::Pos, config.seed); }
std::unique_ptr<Reduction> make_random(const Config& config) { return std::make_unique<Sampling>(wire::Policy::Random, config.seed); }

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> kAlgorithms = {
      {"auto", "optimal, or dl-spor where a trial shows that states repeat; sampling when the limits cannot suffice", make_optimal},
      {"optimal", "one run for each Mazurkiewicz trace", make_optimal},
      {"source", "source sets: every trace, few repetitions", make_source},
      {"dpor", "dynamic partial order reduction with backtrack sets (see --sleep-sets)", make_dpor},
      {"dfs", "every interleaving; with --state, every state", make_dfs},
      {"spor", "every state, except where a step that nobody notices is taken alone", make_spor, false, true},
      {"dl-spor", "stored states, source sets found when the search comes back", make_dl_spor, false, true},
      {"de-spor", "stored states, source sets found as it goes", make_de_spor, false, true},
      {"sdpor", "stored states, backtrack sets, a graph of operations at known states", make_sdpor, false, true},
      {"o-dpor", "stored states, source and sleep sets by what happens before what", make_o_dpor, false, true},
      {"portfolio", "spor and dl-spor with several orders at once (-j N), until the first verdict", make_dl_spor, false, true},
      {"all", "every exhaustive algorithm in turn, to compare them in a table", make_optimal},
      {"random", "random walks from --seed, until a limit", make_random, true},
      {"pct", "random priorities with few changes, until a limit", make_pct, true},
      {"pos", "partial order sampling, until a limit", make_pos, true},
  };
  return kAlgorithms;
}

bool stores_states(const Config& config) {
  if (config.algorithm == "dfs") return config.state.value_or(wire::StateMode::None) != wire::StateMode::None;
  const auto algorithm = find_algorithm(config.algorithm);
  return algorithm.ok() && algorithm->stores_states;
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

// The algorithms by name. A new one is a line in registry.cpp.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/config.h"
#include "explore/reduction/reduction.h"

namespace heddle {

struct Algorithm {
  std::string name;
  std::string summary;  // for --help
  std::function<std::unique_ptr<Reduction>(const Config&)> make;
  bool samples = false;  // draws runs at random
  bool stores_states = false;  // needs captured states, and every access to be visible
};

const std::vector<Algorithm>& algorithms();

// Does this search store states: by its algorithm, or because --state was asked for?
bool stores_states(const Config& config);

// The algorithm of that name; otherwise an Error with the nearest one that exists.
Result<Algorithm> find_algorithm(const std::string& name);

}  // namespace heddle

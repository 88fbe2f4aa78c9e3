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
};

const std::vector<Algorithm>& algorithms();

// The algorithm of that name; otherwise an Error with the nearest one that exists.
Result<Algorithm> find_algorithm(const std::string& name);

}  // namespace heddle

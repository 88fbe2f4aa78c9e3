#include "explore/reduction/bounds.h"

#include <algorithm>

#include "explore/reduction/bounded.h"
#include "explore/reduction/deepening.h"
#include "explore/reduction/dfs.h"

namespace heddle {

bool counts_preemptions(const std::string& algorithm) {
  constexpr const char* kNames[] = {"auto", "optimal", "source", "dpor", "dfs"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](const char* name) { return algorithm == name; });
}

std::unique_ptr<Reduction> make_reduction(const Algorithm& algorithm, const Config& config) {
  auto within = [name = algorithm.name](std::uint32_t most) -> std::unique_ptr<Reduction> {
    if (name == "dfs") return std::make_unique<Dfs>(most);
    return std::make_unique<BoundedSearch>(name == "auto" ? "optimal" : name, most);
  };
  switch (config.preemptions.kind) {
    case Preemptions::Any: return algorithm.make(config);
    case Preemptions::AtMost: return within(config.preemptions.most);
    case Preemptions::Growing: return std::make_unique<Deepening>(within);
  }
  return nullptr;
}

}  // namespace heddle

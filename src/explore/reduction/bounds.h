// Algorithms within the bounds that the user sets: --preemptions around any exhaustive search without stored states.
#pragma once
#include <memory>
#include <string>

#include "explore/config.h"
#include "explore/reduction/registry.h"

namespace heddle {

// Is there a version of it that counts preemptions?
bool counts_preemptions(const std::string& algorithm);

// What `config` asks for. REQUIRES counts_preemptions(algorithm.name) if it bounds preemptions.
std::unique_ptr<Reduction> make_reduction(const Algorithm& algorithm, const Config& config);

}  // namespace heddle

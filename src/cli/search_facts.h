// What makes two searches the same, so that one can go on where the other was interrupted.
#pragma once
#include "dist/checkpoint.h"
#include "explore/config.h"
#include "replay/trace_file.h"

namespace heddle {

// Everything that the set of runs depends on. How many workers, limits and outputs are free to change.
SearchFacts search_facts(const Config& config, const RunFacts& run);

}  // namespace heddle

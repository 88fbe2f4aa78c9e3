// Several searches of one program, each in a process of its own: to compare algorithms, or to take the first verdict.
#pragma once
#include <functional>

#include "explore/config.h"

namespace heddle {

using CheckFunction = std::function<int(const Config&)>;  // a whole check; answers the exit code

// `--algorithm all`: every exhaustive algorithm in turn, each with the time limit (60 s if there is none), and one table.
int compare_algorithms(const Config& config, const CheckFunction& check);

// `--algorithm portfolio`: spor and dl-spor with several orders at once. The first that comes to a verdict prints it, the others are stopped
// (001 sec. 5 and 7).
int run_portfolio(const Config& config, const CheckFunction& check);

}  // namespace heddle

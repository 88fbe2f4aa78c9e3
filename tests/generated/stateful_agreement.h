// Does every stateful search see of a program what the enumeration of its states sees?
#pragma once
#include <cstdint>

#include "agreement.h"

namespace heddle::generated {

// Every stateful algorithm, order and switch against the enumeration of at most `limit` states. Programs may have cycles. `seed` is that of
// random orders.
Agreement compare_stateful(const scripted::Script& script, std::uint64_t limit, std::uint64_t seed = 1);

// The same in a process of its own.
Agreement compare_stateful_isolated(const scripted::Script& script, std::uint64_t limit, std::uint64_t seed = 1);

}  // namespace heddle::generated

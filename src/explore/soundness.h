// Whether a run says anything about the program.
#pragma once
#include <optional>

#include "base/result.h"
#include "explore/replay_check.h"
#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

// A loop that reads several locations waits for any of them to change, and a trace does not tell for which. A reduction may
// therefore ask for the end of the wait where it has not come yet. Nothing is wrong then; the run is a redundant one.
bool waits_in_vain(const Request& request, const Trace& trace);

// Cut because everything it could still do is known from another run, or asked for in vain.
bool is_redundant(const Request& request, const Trace& trace);

Error unsupported_error(const Trace& trace, const PlaceName& place);

// Why a run says nothing: it did not follow its schedule, or met what is not modelled. Nothing: it does.
std::optional<Error> trouble_with(const Request& request, const Trace& trace, const ReplayCheck& earlier, const PlaceName& place);

}  // namespace heddle

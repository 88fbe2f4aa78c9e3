// Whether a run says anything about the program.
#pragma once
#include <optional>

#include "base/result.h"
#include "explore/replay_check.h"
#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

Error unsupported_error(const Trace& trace, const PlaceName& place);

// Why a run says nothing: it did not follow its schedule, or met what is not modelled. Nothing: it does.
std::optional<Error> trouble_with(const Request& request, const Trace& trace, const ReplayCheck& earlier, const PlaceName& place);

}  // namespace heddle

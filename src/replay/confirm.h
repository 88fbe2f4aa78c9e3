// Runs a finding again before anybody is told about it.
//
// A finding that does not come back from its own choices is worthless to the user and means that the program is not a
// function of its schedule; that is its own diagnosis (ExitCode::Nondeterminism). One that does come back is returned from
// a detailed run: full stacks, both sides of a race, the program's output.
#pragma once
#include <optional>

#include "base/result.h"
#include "detect/finding.h"
#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

struct Confirmed {
  Finding finding;  // with full stacks; choices are those of `trace`
  Trace trace;      // the detailed run that shows it
  // The plain accesses that were scheduling points then, where the search has picked out some.
  std::optional<std::vector<wire::VisibleRange>> visible = {};
};

// The same bug? Equal signatures, or, since a run without detail does not know the earlier side of a race, the same kind
// at the same code place about the same object.
bool same_bug(const Finding& a, const Finding& b);

// The request that shows `finding` in full detail.
Request detailed_request(const Finding& finding);

// The finding among those of `trace` that is the same bug as `wanted`.
std::optional<Finding> find_same_bug(const Trace& trace, const Finding& wanted);

// REQUIRES nothing in flight. `recorded`: the events of the run that first showed the finding; used only to diagnose.
Result<Confirmed> confirm_run(Program& program, const Finding& finding, const std::vector<Event>& recorded,
                              const PlaceName& place = default_place_name);

// The same for callers that need the finding alone.
Result<Finding> confirm(Program& program, const Finding& finding, const std::vector<Event>& recorded = {},
                        const PlaceName& place = default_place_name);

}  // namespace heddle

// What the runtime saw go wrong, as findings.
#pragma once
#include <optional>

#include "detect/finding.h"

namespace heddle {

// The finding of trace.reports[index]; none for notes and for what is not the program's fault, nor for what is known.
std::optional<Finding> report_finding(const Trace& trace, std::uint32_t index, const Signatures& known);

}  // namespace heddle

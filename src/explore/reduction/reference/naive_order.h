// Happens-before the slow way: every pair of events looked up in the dependency table, closed transitively.
//
// Shares nothing with model/causality but the table, so that each checks the other. Linked into tests only.
#pragma once
#include <string>
#include <vector>

#include "model/trace.h"

namespace heddle::reference {

// order[i][j]: event i happens before event j.
std::vector<std::vector<bool>> naive_order(const Trace& trace);

// Equal for two runs if and only if they are linearisations of one Mazurkiewicz trace.
std::string canonical_form(const Trace& trace);

}  // namespace heddle::reference

// One finding in words: what is wrong, who took part and from where, how it came to that, what the program printed.
#pragma once
#include <string>

#include "replay/trace_file.h"
#include "report/style.h"

namespace heddle {

// "data race on account.balance": the head line of a finding.
std::string headline(const TraceFile& trace);

// The participants with their stacks, and where the threads come from.
std::string participants_text(const TraceFile& trace, const Style& style);

// The last lines that the program wrote in this run; empty if it wrote nothing.
std::string output_text(const TraceFile& trace, const Style& style, std::size_t most_lines);

}  // namespace heddle

// Turns what a search has found into cases: source places looked up, trace files written.
#pragma once
#include <string>
#include <vector>

#include "report/reporter.h"
#include "target/process_program.h"

namespace heddle {

// What the runs of this program depend on, as trace files keep it. REQUIRES that the runs are over: the thread
// directory and the visible ranges grow with them. `asked` is what the program was started with.
RunFacts run_facts(const ProcessProgram& program, const ProcessOptions& asked);

// A trace file that cannot be written costs the user the file, not the finding: the case says why.
std::vector<Case> record_findings(const std::vector<Confirmed>& findings, const std::string& algorithm, const RunFacts& facts, const std::string& trace_dir);

}  // namespace heddle

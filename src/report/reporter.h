// The seam to an output format. A reporter decides nothing: verdict, exit code, file names and texts are all in what it gets.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "explore/outcome.h"
#include "replay/trace_file.h"

namespace heddle {

// One finding as reporters see it.
struct Case {
  TraceFile trace;         // finding, run and source places
  std::string file;        // where it was saved; empty: nowhere
  std::string save_error;  // why not, in one line
};

struct CheckReport {
  std::string program;  // as the user named it
  Outcome outcome;
  std::vector<Case> cases;    // of outcome.findings, in the same order
  std::vector<Case> unknown;  // of outcome.unknown
};

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void write(const CheckReport& report, std::ostream& out) = 0;
};

}  // namespace heddle

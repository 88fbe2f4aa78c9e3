// A run as a table: one column a thread, one row a step, time running down.
//
// Two selections: all of it (heddle replay), where only long stretches that concern one thread alone are folded; and what led
// up to the bug (reports), where rows that have nothing to do with it are folded. A table that does not fit the width becomes a list.
#pragma once
#include <string>
#include <vector>

#include "replay/trace_file.h"
#include "report/style.h"

namespace heddle {

struct ScheduleRow {
  enum Kind { Step, Folded, Final } kind = Step;
  std::size_t step = 0;  // counted from 1; of a folded stretch: its first
  int thread = 0;
  std::string text;   // "lock to.mutex"
  std::string place;  // "transfer.cpp:11"
};

std::vector<ScheduleRow> whole_schedule(const TraceFile& trace);
std::vector<ScheduleRow> end_of_schedule(const TraceFile& trace, std::size_t most_rows);

// Lines that end in a newline.
std::string draw(const std::vector<ScheduleRow>& rows, const Style& style, const std::string& indent);

}  // namespace heddle

#include "detect/notes.h"

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {

std::vector<std::string> notes_of(const Trace& trace) {
  std::vector<std::string> notes;
  if (trace.unjoined != 0 && trace.end == wire::End::Completed) {
    notes.push_back(trace.unjoined == 1 ? "1 thread is never joined"
                                        : fmt::format("{} threads are never joined", trace.unjoined));
  }
  if (trace.end == wire::End::Hung || trace.end == wire::End::OutOfMemory) return notes;  // its note belongs to the finding
  for (const wire::Report& report : trace.reports) {
    if (report.kind == wire::ReportKind::Note) notes.push_back(report_text(report));
  }
  return notes;
}

}  // namespace heddle

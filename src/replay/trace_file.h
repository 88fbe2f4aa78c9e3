// A recorded finding as a file: everything that is needed to run it again, and to render it where the program is gone.
//
// The file is JSON: an envelope (format, versions, checksum) around a body. The checksum covers all the rest, so that a
// truncated or altered file is recognised rather than replayed. Files are written to a temporary name and linked into
// place: a reader never sees half of one, and a file that is not ours to replace stays.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "detect/finding.h"
#include "replay/places.h"

namespace heddle {

inline constexpr int kTraceFileVersion = 1;

struct ModuleFact {
  std::string path;
  std::string build_id;  // see build_id.h; empty: not compared (not instrumented, or unreadable)
  bool operator==(const ModuleFact&) const = default;
};

// What a run depends on besides its choices. Equal facts and equal choices: equal runs.
struct RunFacts {
  std::string program;  // absolute path
  std::vector<std::string> arguments;
  std::string directory;                           // where it ran
  std::map<std::string, std::string> environment;  // see environment_facts
  std::string input_file;                          // its standard input, if that was a file
  std::string input_hash;
  std::string input_text;                          // what it was given through a pipe
  wire::Options options;
  std::uint32_t max_steps = 0;
  std::uint32_t timeouts = 0;  // wire::RequestHeader::timeouts
  std::vector<int> allowed_exits;
  std::vector<wire::VisibleRange> visible;
  std::vector<ModuleFact> modules;        // in the order of the wire's module table; 0 is the program
  std::vector<wire::ThreadName> threads;  // the thread directory: gives threads the same numbers in a new process
};

struct TraceFile {
  std::string heddle_version;  // that wrote it
  std::string algorithm;       // that found it
  RunFacts facts;
  Finding finding;
  Trace trace;  // the run that shows it: all of it but the runtime's own reports, which the finding stands for
  RecordedPlaces places;
};

std::string heddle_version();

// The variables that change how programs run (locale, loader, allocator, OpenMP, time zone), out of `environ`. Others are
// left out: a trace file is made to be sent to somebody, and environments hold secrets.
std::map<std::string, std::string> environment_facts(char** environ);
bool is_environment_fact(const std::string& name);

// Fills trace.places with all that a report of the file will ask for.
void record_places(TraceFile& trace, Places& places);

std::string serialize(const TraceFile& trace);
Result<TraceFile> parse_trace_file(const std::string& text, const std::string& name);

// Replaces `path`, atomically.
Status write_trace_file(const std::string& path, const TraceFile& trace);

// Writes heddle-<program>-<kind>-<n>.trace with the first n that is free or holds the same finding of the same program.
// Returns the path.
Result<std::string> save_trace_file(const std::string& directory, const TraceFile& trace);

// Refuses files that are missing, no trace files, damaged, or of another version: one line and the next step.
Result<TraceFile> read_trace_file(const std::string& path);

// Is the program still the build that was recorded, and its input still the same?
Status check_unchanged(const TraceFile& trace, const std::string& trace_path);

}  // namespace heddle

#include "report/json_reporter.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "model/preemptions.h"
#include "report/wording.h"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

json location(const Involved& involved, Places& places) {
  const SourceFrame frame = user_frame(involved.stack, places);
  return json{{"file", frame.file}, {"line", frame.line}, {"function", frame.function}, {"thread", involved.thread}};
}

// What the run did until the finding showed.
std::span<const Event> before_finding(const TraceFile& trace) {
  const std::span<const Event> events(trace.trace.events);
  return events.first(std::min<std::size_t>(trace.finding.step, events.size()));
}

json finding(const Case& c) {
  RecordedPlaces places = c.trace.places;
  json locations = json::array();
  for (const Involved& involved : c.trace.finding.involved) locations.push_back(location(involved, places));
  return json{{"kind", kind_name(c.trace.finding.kind)},
              {"message", c.trace.finding.message},
              {"locations", locations},
              {"preemptions", count_preemptions(before_finding(c.trace))},
              {"trace", c.file.empty() ? json() : json(c.file)},
              {"signature", c.trace.finding.signature}};
}

json unknown(const Case& c) {
  json result = finding(c);
  result["maybe_ordered_by"] = c.trace.finding.maybe_ordered_by;
  return result;
}

json uncovered(const Uncovered& u) {
  return json{{"what", u.what}, {"function", u.function}, {"where", u.where}, {"reason", u.reason}, {"count", u.count}};
}

template <class T>
json list_of(const std::vector<T>& values, json (*to_json)(const T&)) {
  json list = json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

// What runs drawn at random are worth: see explore/reduction/sampled_runs.h.
json sampling(const SampledRuns& s) {
  json result = {{"sampler", s.sampler}, {"runs", s.runs}, {"threads", s.threads}, {"steps", s.steps}};
  if (s.depth != 0) result["depth"] = s.depth;
  if (s.depth != 0) result["seen_probability"] = seen_probability(s);
  result["excluded_rate"] = excluded_rate(s);
  result["confidence"] = kConfidence;
  return result;
}

json distribution(const Distribution& d) {
  json workers = json::array();
  for (const WorkerFigures& w : d.workers)
    workers.push_back({{"worker", w.number},
                       {"executions", w.executions},
                       {"blocked", w.blocked},
                       {"units", w.units},
                       {"repeated", w.repeated},
                       {"busy", w.busy},
                       {"lost", w.lost}});
  return json{{"units", d.units}, {"repeated", d.repeated}, {"redundant", d.redundant}, {"workers", workers}};
}

json document(const CheckReport& report) {
  const Outcome& outcome = report.outcome;
  const Statistics& s = outcome.statistics;
  json result = {{"schema", kJsonSchema},
                 {"verdict", verdict_name(outcome.verdict)},
                 {"algorithm", outcome.algorithm},
                 {"executions", s.executions},
                 {"blocked", s.blocked},
                 {"transitions", s.transitions},
                 {"replayed", s.replayed},
                 {"states", s.states},
                 {"revisits", s.revisits},
                 {"stored_transitions", s.stored_transitions},
                 {"bytes_per_state", s.bytes_per_state},
                 {"max_depth", s.max_depth},
                 {"threads", s.threads},
                 {"time_s", s.time_s},
                 {"peak_rss_kb", s.peak_rss_kb},
                 {"findings", list_of(report.cases, finding)},
                 {"unknown", list_of(report.unknown, unknown)},
                 {"uncovered", list_of(outcome.uncovered, uncovered)},
                 {"assumes", outcome.assumes},
                 {"vacuous", outcome.vacuous.empty() ? json() : json(outcome.vacuous)}};
  if (!outcome.sampling.empty()) result["sampling"] = json::array();
  for (const SampledRuns& runs : outcome.sampling) result["sampling"].push_back(sampling(runs));
  if (!outcome.notes.empty()) result["notes"] = outcome.notes;
  if (!outcome.order_texts.empty()) result["memory_orders"] = outcome.order_texts;
  if (outcome.preemptions) result["bounds"]["preemptions"] = outcome.preemptions->most;
  if (outcome.max_steps) result["bounds"]["max_steps"] = *outcome.max_steps;
  if (outcome.timeouts) result["bounds"]["timeouts"] = *outcome.timeouts;
  if (outcome.distribution) result["distribution"] = distribution(*outcome.distribution);
  if (!outcome.resume.empty()) result["resume"] = outcome.resume;
  if (outcome.verdict == Verdict::Error) result["error"] = outcome.error.what;
  return result;
}

// A device or a pipe is written to; replacing it by a file would surprise.
bool is_special(const std::string& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode);
}

bool write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return out.good();
}

}  // namespace

void JsonReporter::write(const CheckReport& report, std::ostream& out) {
  // Names come from files and programs: bytes that are no UTF-8 are replaced, never a reason to fail.
  out << document(report).dump(2, ' ', false, json::error_handler_t::replace) << "\n";
}

Status write_json(const CheckReport& report, const std::string& file) {
  std::ostringstream text;
  JsonReporter().write(report, text);
  if (file == "-") {
    std::cout << text.str() << std::flush;
    return Nothing{};
  }
  const std::string temporary = is_special(file) ? file : fmt::format("{}.{}", file, getpid());
  const bool written = write_text(temporary, text.str()) && (temporary == file || std::rename(temporary.c_str(), file.c_str()) == 0);
  if (written) return Nothing{};
  const Error error{fmt::format("cannot write {}: {}", file, std::strerror(errno)), "name a file in a writable directory, or - for stdout"};
  if (temporary != file) std::remove(temporary.c_str());
  return error;
}

}  // namespace heddle

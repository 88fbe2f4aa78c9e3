// What workers have found: their runs are made again here, with the balancer's own program, before anybody is told.
#include <algorithm>

#include "detect/finding.h"
#include "dist/distributed_search.h"
#include "explore/soundness.h"

namespace heddle {
namespace {

Request request_of(const Suspect& suspect) {
  Request request;
  request.prefix = suspect.choices;
  request.timeouts = suspect.timeouts;
  return request;
}

bool shows(const Trace& trace, const Suspect& suspect) {
  const std::vector<Finding> findings = detect(trace);
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.signature == suspect.signature; });
}

}  // namespace

// Of a run that was made within the present bound on preemptions.
void DistributedSearch::judge_within_bound(const Suspect& suspect) {
  const std::size_t before = findings_.findings().size();
  judge(suspect);
  const auto bound = preemption_bound();
  if (!bound || !bound->grows) return;
  for (std::size_t i = before; i < findings_.findings().size(); ++i) note(note_on_least(findings_.findings()[i].finding.message, *bound));
}

void DistributedSearch::judge(const Suspect& suspect) {
  if (failed_ || findings_.has_seen(suspect.signature)) return;
  if (stop_) return found_.push_back(suspect);  // nobody has time for it now, but whoever resumes
  const Result<Trace> trace = run(suspect);
  if (!trace) return found_.push_back(suspect), fail(trace.error());
  if (trace->end == wire::End::Unsupported) return fail(unsupported_error(*trace, place_));
  if (!take_findings_of(suspect, *trace)) fail(divergence_error("what a worker has found does not show again", compare_runs({}, *trace), place_));
}

// Of runs that no longer count: the search has started over, and may not make such runs again; or the worker calls threads by other numbers and will tell it again. What shows is
// a bug all the same.
void DistributedSearch::reconsider(const std::vector<Suspect>& suspects) {
  for (const Suspect& suspect : suspects) {
    if (failed_ || stop_ || findings_.has_seen(suspect.signature)) continue;
    if (const Result<Trace> trace = run(suspect)) take_findings_of(suspect, *trace);
  }
}

// Our program must call threads as the workers' do.
Result<Trace> DistributedSearch::run(const Suspect& suspect) {
  if (Status adopted = program_.adopt_threads(balancer_.threads()); !adopted) return adopted.error();
  patience_.extend(true);
  Result<Trace> trace = program_.run(request_of(suspect));
  patience_.extend(false);
  return trace;
}

// What the program learns about threads while a shorter schedule is looked for is everybody's.
bool DistributedSearch::take_findings_of(const Suspect& suspect, const Trace& trace) {
  const std::vector<Finding> news = findings_.news(request_of(suspect), trace);
  if (news.empty() && !shows(trace, suspect)) return false;
  for (const Finding& finding : news) {
    if (stop_) break;
    const std::size_t before = findings_.count();
    if (Status confirmed = findings_.confirm(finding, trace); !confirmed) return found_.push_back(suspect), fail(confirmed.error()), true;
    if (findings_.count() > before) found_.push_back(suspect);
    if (findings_.enough()) stop_ = true;
  }
  findings_.see(suspect.signature);
  balancer_.adopt(program_.thread_names());
  return true;
}

}  // namespace heddle

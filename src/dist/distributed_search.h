// The search with many workers, as the balancer's process sees it: hands out work, runs suspects again, writes checkpoints, decides
// the verdict.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>

#include "dist/balancer.h"
#include "dist/checkpoint.h"
#include "dist/link.h"
#include "dist/seeds.h"
#include "dist/steadfast_program.h"
#include "explore/config.h"
#include "explore/finding_collector.h"
#include "explore/outcome.h"
#include "explore/patience.h"
#include "explore/progress.h"
#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

class DistributedSearch {
 public:
  struct Subject {
    std::string algorithm;           // its name
    std::string for_cut_runs;        // the name of what goes on for it where runs are cut by the bound on steps; perhaps its own
    bool exhaustive = true;          // false: sampling
    SearchFacts facts;               // for checkpoints
    Seeds::HorizonBegins horizon_begins = [](std::uint64_t) { return false; };  // sampling
  };

  // All of them outlive the search. `program` is the balancer's own, to confirm findings with.
  DistributedSearch(const Config& config, Program& program, Crew& crew, Patience& patience, ProgressMeter& meter, Subject subject,
                    PlaceName place = default_place_name);

  Status resume(const Checkpoint& checkpoint);  // REQUIRES called before explore()
  Outcome explore();                            // REQUIRES called once

 private:
  // When a worker holds a unit.
  struct Timesheet {
    double joined_s = 0, left_s = -1, busy_s = 0, since_s = -1;
  };

  void send(int worker, const Command& command);
  void join(int worker);
  void handle(Arrival arrival);
  void lose(const Arrival& arrival);
  bool is_allowed_more() const;

  void consider_terms(const Report& report);
  bool show_hidden(const std::vector<HiddenPart>& parts);
  void raise_bound();
  std::optional<PreemptionBound> preemption_bound() const;
  void judge(const Suspect& suspect);
  void judge_within_bound(const Suspect& suspect);
  void reconsider(const std::vector<Suspect>& suspects);
  Result<Trace> run(const Suspect& suspect);
  bool take_findings_of(const Suspect& suspect, const Trace& trace);  // false: it shows nothing of the kind
  void fail(const Error& error);
  void note(const std::string& text) { if (noted_.insert(text).second) outcome_.notes.push_back(text); }

  void keep_checkpoint();
  void last_checkpoint();
  void write_checkpoint_now();
  Checkpoint checkpoint() const;

  void show_progress();
  double elapsed_s() const { return earlier_s_ + patience_.elapsed_s(); }
  void clock_in(int worker);
  void clock_out(int worker);
  Distribution distribution() const;
  Outcome conclude();

  const Config& config_;
  SteadfastProgram program_;
  Crew& crew_;
  Patience& patience_;
  ProgressMeter& meter_;
  const Subject subject_;
  PlaceName place_;
  Balancer balancer_;
  FindingCollector findings_;
  Outcome outcome_;
  std::set<std::string> noted_;
  std::map<int, Timesheet> timesheets_;
  std::vector<Suspect> found_;       // as checkpoints keep them
  std::vector<UncoveredNote> uncovered_;  // by workers; so are these:
  std::vector<OrderPair> order_pairs_;
  std::uint64_t losses_ = 0;
  int troubles_ = 0;
  bool stop_ = false, failed_ = false;

  std::uint64_t runs_below_ = 0;     // made with smaller bounds on preemptions
  double earlier_s_ = 0;             // before it was resumed
  double next_save_s_ = 0;
  double asked_to_save_s_ = -1;      // -1: not asked
  bool save_failed_ = false;
};

}  // namespace heddle

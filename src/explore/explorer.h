// The search: ask the reduction what to run, run it, look at the trace, tell the reduction. Decides the verdict.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "explore/auto_search.h"
#include "explore/config.h"
#include "explore/finding_collector.h"
#include "explore/outcome.h"
#include "explore/patience.h"
#include "explore/progress.h"
#include "explore/reduction/reduction.h"
#include "explore/replay_check.h"
#include "explore/tally.h"
#include "target/program.h"

namespace heddle {

class Explorer {
 public:
  using MakeReduction = std::function<std::unique_ptr<Reduction>()>;

  // All of them outlive the explorer. `place` names code in diagnoses.
  Explorer(const Config& config, Program& program, MakeReduction make_reduction, Patience& patience, ProgressMeter& meter,
           PlaceName place = default_place_name);

  // The same, with an algorithm that may change on the way.
  Explorer(const Config& config, Program& program, AutoSearch& auto_search, Patience& patience, ProgressMeter& meter,
           PlaceName place = default_place_name);

  // REQUIRES called once, with nothing in flight.
  Outcome explore();

  // The same in parts. advance() goes on until the search is over (true), or `pause` holds after a run (false) and it can be taken up again; nothing is
  // in flight then.
  // What it has come to is said once, at the end.
  using Pause = std::function<bool(const Tally&)>;
  bool advance(const Pause& pause);
  Outcome conclude();
  const Tally& tally() const { return tally_; }
  // REQUIRES that it has begun.
  std::string algorithm() const;
  Progress progress() const { return reduction_->progress(); }
  bool has_cycles() const { return reduction_->has_cycles(); }
  bool has_findings() const { return !findings_.findings().empty(); }

 private:
  void ask_ahead();
  void take_up(std::unique_ptr<Reduction> reduction);
  std::optional<Request> next_request();
  void learn(const Request& request, const Trace& trace);
  bool may_ask() const;
  Result<Trace> next_trace();
  Status drain();
  bool pause_here();  // what advance() answers then

  void count(const Request& request, const Trace& trace);
  bool is_sound(const Request& request, const Trace& trace);
  void take_notes(const Trace& trace);
  void judge(const Request& request, const Trace& trace);
  void report(const Finding& finding, const Trace& trace);
  bool explores_races() const;
  std::vector<wire::VisibleRange> visible_ranges() const;
  void show_what_interferes(const Trace& trace);
  void start_over();
  Spent spent() const;
  void reconsider();
  void start_with(std::unique_ptr<Reduction> reduction);
  void cover_cut_runs();
  void bound_timeouts();

  void fail(const Error& error);
  void note(const std::string& text);
  bool was_exhausted();
  void note_storage();

  const Config& config_;
  Program& program_;
  MakeReduction make_reduction_;
  Patience& patience_;
  ProgressMeter& meter_;
  PlaceName place_;
  AutoSearch* auto_search_ = nullptr;

  FindingCollector findings_;
  std::unique_ptr<Reduction> reduction_;
  ReplayCheck replay_check_;
  std::deque<Request> asked_;  // handed to the program, or answered and waiting in arrived_
  std::deque<Trace> arrived_;  // collected early, to have the program to ourselves
  std::uint64_t asked_count_ = 0;
  bool owes_nothing_ = false;  // the reduction's last answer
  bool stop_ = false;
  bool failed_ = false;
  std::uint32_t timeouts_ = 0;  // the limit that we have set ourselves; 0: none
  std::string given_up_;  // name of the reduction before this one

  Outcome outcome_;
  Tally tally_;
  std::set<std::string> noted_;
  std::set<std::pair<Address, std::uint32_t>> visible_;  // made so by us
  std::set<std::pair<Address, std::uint32_t>> newly_racy_;
};

}  // namespace heddle

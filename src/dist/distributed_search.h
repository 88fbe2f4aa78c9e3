// The search with many workers, as the balancer's process sees it: hands out work, runs suspects again, decides the verdict.
#pragma once
#include <set>
#include <string>

#include "dist/balancer.h"
#include "dist/link.h"
#include "explore/config.h"
#include "explore/outcome.h"
#include "explore/patience.h"
#include "explore/progress.h"
#include "replay/divergence.h"
#include "target/program.h"

namespace heddle {

class DistributedSearch {
 public:
  // All of them outlive the search. `program` is the balancer's own, to confirm findings with.
  DistributedSearch(const Config& config, Program& program, Crew& crew, Patience& patience, ProgressMeter& meter,
                    PlaceName place = default_place_name);

  Outcome explore(std::string algorithm);  // REQUIRES called once

 private:
  void handle(Arrival arrival);
  void lose(const Arrival& arrival);
  void judge(const Suspect& suspect);
  void confirm(const Finding& finding, const Trace& trace);
  void fail(const Error& error);
  void note(const std::string& text);
  void show_progress();
  Outcome conclude();

  const Config& config_;
  Program& program_;
  Crew& crew_;
  Patience& patience_;
  ProgressMeter& meter_;
  PlaceName place_;
  Balancer balancer_;
  Outcome outcome_;
  std::set<std::string> seen_, confirmed_, noted_;
  std::uint64_t losses_ = 0;
  int troubles_ = 0;
  bool stop_ = false, failed_ = false;
};

}  // namespace heddle

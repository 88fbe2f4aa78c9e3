// What a search has found. Each bug once: run again before it is believed, its schedule shortened.
#pragma once
#include <string>
#include <vector>

#include "explore/config.h"
#include "explore/outcome.h"
#include "explore/patience.h"
#include "replay/confirm.h"
#include "target/program.h"

namespace heddle {

// False for what the user does not want to hear of: exits that are allowed, races that are ignored.
bool is_wanted(const Config& config, const Finding& finding, const Trace& trace);
bool ignores_race(const Config& config, const Trace& trace);  // this run has one, and nobody wants to hear of it

class FindingCollector {
 public:
  // All of them outlive the collector. `place` names code in diagnoses.
  FindingCollector(const Config& config, Program& program, Patience& patience, PlaceName place);

  // What is wrong in this run and has not been seen before.
  std::vector<Finding> news(const Request& request, const Trace& trace);

  // Runs it again, and keeps it if it is one that we do not have. REQUIRES nothing in flight.
  Status confirm(const Finding& finding, const Trace& trace);

  bool has_seen(const std::string& signature) const { return seen_.contains(signature); }
  void see(const std::string& signature) { seen_.insert(signature); }
  std::vector<std::string> signatures() const { return {seen_.begin(), seen_.end()}; }
  // Of those that have been found since there were `before`: in which runs they show.
  void show_in(const std::vector<wire::VisibleRange>& visible, std::size_t before) {
    for (std::size_t i = before; i < findings_.size(); ++i) findings_[i].visible = visible;
  }
  bool enough() const { return enough_; }  // for --stop-at=first
  const std::vector<Confirmed>& findings() const { return findings_; }
  const std::vector<Confirmed>& unknown() const { return unknown_; }  // races that code which is not seen may order
  std::size_t count() const { return findings_.size() + unknown_.size(); }
  void put_into(Outcome& outcome);  // all of them; nothing is left

 private:
  const Config& config_;
  Program& program_;
  Patience& patience_;
  PlaceName place_;
  std::vector<Confirmed> findings_, unknown_;
  Signatures seen_;  // also of findings that turned out to be others
  Signatures confirmed_;
  bool enough_ = false;
};

}  // namespace heddle

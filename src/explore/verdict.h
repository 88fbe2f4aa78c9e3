// What a search comes to once it is over.
#pragma once
#include "explore/config.h"
#include "explore/outcome.h"
#include "explore/tally.h"

namespace heddle {

struct Ending {
  bool exhausted = false;          // nothing is owed any more
  bool failed = false;             // Outcome::error says how
  bool covers_step_bound = false;  // Reduction::covers_step_bound
  std::uint32_t timeouts = 0;      // Timeouts::limit
};

void add_note(Outcome& outcome, const std::string& text);  // once

// Fills verdict, and the notes that go with it. REQUIRES that findings, unknown races, uncovered notes and error are there.
void decide(Outcome& outcome, const Ending& ending, const Tally& tally, const Config& config);

std::uint64_t peak_rss_kb();  // of this process

}  // namespace heddle

// The terms of a search: what it has found out about the program that decides how it is to be made. When they change, it starts over.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "explore/tally.h"

namespace heddle {

// A hidden object (wire/hidden.def), or a part of one, whose uses are operations.
struct HiddenPart {
  Address address = 0;
  std::uint32_t size = 0;
  bool operator==(const HiddenPart&) const = default;
};

struct Terms {
  std::uint32_t timeouts = 0;     // most of one thread at one place, as in Request; 0: as the user has it
  std::uint32_t preemptions = 0;  // the bound, where it grows (reduction/deepening.h)
  std::vector<HiddenPart> hidden = {};  // in whose order a run has been seen to differ
  bool cut_runs = false;          // runs are cut by the bound on steps: what fits into it is to be seen all the same
};

// Whoever waits again whenever it has timed out does so without end. What it can do when it has timed out once is worth more than an endless tree.
bool times_out_without_end(const Tally& tally);

// What a run says about hidden objects whose order matters.
std::vector<HiddenPart> hidden_parts_of(const Trace& trace);

std::string note_on_timeouts();
std::string note_on_cut_runs(std::string_view algorithm, std::string_view other);  // `other` goes on

}  // namespace heddle

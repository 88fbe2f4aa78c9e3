// How far a search that counts preemptions goes.
#pragma once
#include <cstdint>
#include <string>

namespace heddle {

struct PreemptionBound {
  std::uint32_t most = 0;
  bool cut = false;    // something was left out because of it; if nothing was, a search that is over has explored everything
  bool grows = false;  // it is one of an iteration: everything below it has been explored before
};

std::string note_on_bound(const PreemptionBound& bound, bool exhausted);
std::string note_on_least(const std::string& message, const PreemptionBound& bound);  // of a finding, where the bound grows

}  // namespace heddle

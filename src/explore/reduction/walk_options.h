// Which optimisations of 001, appendix A, dl-spor uses. Each can be switched off, to measure it.
#pragma once

namespace heddle {

struct WalkOptions {
  bool each_transition_once = true;  // instead of all executions
  bool skip_last = true;             // no walk where everything is taken anyway
  bool stop_when_complete = true;    // end a walk when everybody enabled is in the current set …
  bool stop_at_disabled = true;      // … or somebody who is not enabled
};

}  // namespace heddle

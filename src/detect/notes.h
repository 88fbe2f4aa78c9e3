// What the user should know about a run although it is no bug.
#pragma once
#include <string>
#include <vector>

#include "model/trace.h"

namespace heddle {

// One line each, the same for every run that shows the same.
std::vector<std::string> notes_of(const Trace& trace);

}  // namespace heddle

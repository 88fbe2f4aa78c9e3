// What every verdict of this configuration takes for granted; the manual explains each.
#pragma once
#include <string>
#include <vector>

#include "explore/config.h"

namespace heddle {

std::vector<std::string> standing_assumptions(const Config& config);

}  // namespace heddle

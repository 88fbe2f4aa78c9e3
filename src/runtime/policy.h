// How the scheduler chooses once the prefix is used up.
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

void policy_begin();
wire::Choice pick(const Offer& c);  // REQUIRES at least one candidate

}  // namespace heddle::rt

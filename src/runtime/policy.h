// How the scheduler chooses once the prefix is used up.
#pragma once
#include "runtime/runtime.h"
#include "wire/dependency.h"

namespace heddle::rt {

wire::OpView view_of(const Thread& t);  // its pending operation

void policy_begin();
wire::Choice pick(const Offer& c);  // REQUIRES at least one candidate

}  // namespace heddle::rt

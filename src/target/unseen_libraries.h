// Which libraries of a target may order its threads where nobody sees it.
#pragma once
#include "wire/wire.h"

namespace heddle {

// A library counts if it was not built with the drivers and has atomic instructions of its own,
// unless what it orders is known. What it does by calling pthread functions is seen anyway.
bool may_order_unseen(const wire::Module& module);

// Tells the target about each of its modules (Module::orders_unseen).
void judge_modules(wire::Segment& segment);

}  // namespace heddle

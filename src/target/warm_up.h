// What can be done while a target is starting and there is nothing else to do.
#pragma once

namespace heddle {

// Maps the tool's code and the heap's first pages at once. Otherwise each of them would be mapped when it is first used: a
// few microseconds each time, in a search that may take a thousand of them. Does nothing the second time.
void warm_up();

}  // namespace heddle

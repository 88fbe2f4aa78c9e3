// Order between threads that is made inside a library, where nobody sees it.
//
// A library that was not built with the drivers and has atomic instructions (Module::orders_unseen)
// may order what its callers did before with what they do after. The runtime cannot know. So it
// keeps a second vector clock beside each one (Clock::maybe): what may have happened before, if
// every such library ordered all of its callers. A race of two accesses that are ordered in that
// sense is told with the library's name, and is unknown instead of a bug. A race that no library
// can have ordered stays one.
//
// To know when a thread is in such a library, its code is not executable while the program's own
// code runs. The first instruction of it that a thread fetches, by a call of whatever kind or by a
// return from a callback, faults: the library is opened, and the thread gives to the library's
// clock and takes from it. It is closed at the next access that the race detector looks at, and
// when another thread is to run. That is soon enough: each entry begins a new epoch of the thread,
// in which no access is known to the detector yet.
//
// No thread runs between the time that another one enters a library and the time that it leaves,
// unless the library itself calls an operation of the runtime. Then it is closed, and going on in
// it is an entry again. So giving and taking at the entry is enough.
#pragma once
#include <stdint.h>

#include "runtime/runtime.h"

namespace heddle::rt {

void unseen_begin_run();
bool unseen_entered(
    uint64_t pc);     // a fault at pc: true if it was an entry and the thread can go on
void close_unseen();  // after this the next entry is noticed

// The running thread gets no further, and a library is open: it waits there for a lock that nobody sees.
[[noreturn]] void refuse_waiting(uint64_t pc);

// The file name of a library that may have ordered `thread` at `clock` before the running thread;
// null: none.
const char* unseen_between(uint32_t thread, uint32_t clock);

}  // namespace heddle::rt

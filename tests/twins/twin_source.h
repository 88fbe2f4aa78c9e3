// A scripted program as C++ source over the real pthread functions: its native twin.
#pragma once
#include <string>

#include "target/scripted/script.h"

namespace heddle::twins {

// Can it be written with pthreads so that every operation of the script is one operation of the runtime?
bool has_twin(const scripted::Script& script);

// Does it spin? Then the twin may go round once more before the runtime knows the loop for one, and counts may differ.
bool spins(const scripted::Script& script);

// Can it end before all of its threads have?
bool exits(const scripted::Script& script);

bool has_compare_exchange(const scripted::Script& script);

// Is each of its steps one step of the twin? To give a guard back takes two, whoever waits for a futex looks at it first, and a semaphore's value is read from the stack.
bool takes_equal_steps(const scripted::Script& script);

// Functions and data of twin `number`; `void twin_NUMBER()` starts and joins its threads.
std::string twin_source(const scripted::Script& script, int number);

// What stands before all twins, and main after them.
std::string twin_prelude();
std::string twin_main(int count);

}  // namespace heddle::twins

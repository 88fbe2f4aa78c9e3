// The programs that papers and tools are compared by, as scripts. Each has a twin in tests/programs, written in C.
#pragma once
#include "target/scripted/script.h"

namespace heddle::generated {

scripted::Script lockers(int threads);      // lock and unlock one mutex
scripted::Script readers(int n);            // and one writer
scripted::Script two_writers();             // 002 section 3: x=1; x=2 and y=1; x=3
scripted::Script store_buffering();
scripted::Script counter_2x2();             // x++ as load and store
scripted::Script indexer(int threads);      // 002 fig. 1
scripted::Script file_system(int threads);  // 002 fig. 7
scripted::Script last_zero(int n);
scripted::Script example1(int n);           // 000 fig. 1
scripted::Script philosophers(int n);       // the lower fork first
scripted::Script bounded_buffer(int slots, int producers, int consumers, int items);
scripted::Script flag_spin();
scripted::Script test_and_set_lock(int threads);
scripted::Script ticket_lock(int threads);

}  // namespace heddle::generated

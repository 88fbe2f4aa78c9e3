// In front of libstdc++'s header of this name, for programs under test.
//
// std::atomic<std::shared_ptr> keeps its pointer under a lock of one bit, and load() gives that lock back with a relaxed operation (gcc 12): by the
// rules of the language what it read races with the next store. That is the library's mistake, not the program's, and hides what
// the program does. Here the lock is always given back (that is what the header subtracts for) by an operation that orders.
//
// What this can miss: a load orders what its thread did before, so a race that only another implementation of the library would have is not seen.
#pragma GCC system_header
#include <bits/atomic_base.h>
#define fetch_sub(bit, order) fetch_sub(bit, memory_order_seq_cst)
#include_next <bits/shared_ptr_atomic.h>
#undef fetch_sub

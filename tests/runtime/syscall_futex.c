// A lock made of the futex system call itself, as libraries write it.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "together.h"

static atomic_int lock;  // 0 free, 1 taken, 2 taken and somebody waits
static int counter;

static void* work(void* unused) {
  int seen = 0;
  if (!atomic_compare_exchange_strong(&lock, &seen, 1))
    while (atomic_exchange(&lock, 2) != 0) {
      long result = syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
      assert(result == 0 || errno == EAGAIN);
    }
  ++counter;
  if (atomic_exchange(&lock, 0) == 2) syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return unused;
}

int main(void) {
  together(work, work);
  assert(counter == 2);
  return 0;
}

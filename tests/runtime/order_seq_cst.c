// Sequentially consistent accesses order plain accesses.
// EXPECT: verified
#include <assert.h>
#include <stdatomic.h>

#include "together.h"

static int data;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;
  atomic_store(&flag, 1);
  return unused;
}

static void* reader(void* unused) {
  if (atomic_load(&flag)) assert(data == 42);
  return unused;
}

int main(void) {
  together(writer, reader);
  return 0;
}

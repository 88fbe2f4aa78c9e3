// Two threads, one writes and one reads a TYPE at OFFSET bytes into a buffer: one race, on a plain access of that kind.
#include "together.h"

#pragma pack(push, 1)
static struct {
  char before[OFFSET];
  TYPE value;
} shared __attribute__((aligned(64)));
#pragma pack(pop)
static volatile TYPE sink;

static void* writer(void* unused) {
  shared.value = (TYPE)1;
  return unused;
}

static void* reader(void* unused) {
  sink = shared.value;
  return unused;
}

int main(void) {
  together(writer, reader);
  return 0;
}

// Accesses of different sizes that share no byte do not race, wherever they lie.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <stdint.h>

#include "together.h"

#pragma pack(push, 1)
struct {
  uint8_t a;
  uint32_t b;
  uint8_t c;
  uint16_t d;
  uint64_t e;
} shared;
#pragma pack(pop)

static void* first(void* unused) {
  shared.a = 1;
  shared.c = 1;
  shared.e = 1;
  return unused;
}

static void* second(void* unused) {
  shared.b = 1;
  shared.d = 1;
  return unused;
}

int main(void) {
  together(first, second);
  return 0;
}

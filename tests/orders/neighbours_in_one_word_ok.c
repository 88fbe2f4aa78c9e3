// Bytes beside each other are not the same location, and no thread accesses the other's.
// EXPECT: verified
#include "two_threads.h"

static _Alignas(16) atomic_char bytes[16];

static void* left(void* unused) {
  for (int i = 0; i < 8; i++) STORE(bytes[i], 1, relaxed);
  return unused;
}
static void* right(void* unused) {
  for (int i = 8; i < 16; i++) STORE(bytes[i], 1, relaxed);
  return unused;
}

int main(void) {
  beside_each_other(left, right);
  return 0;
}

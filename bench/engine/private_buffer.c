// One thread that reads and writes every word of a private buffer of 1 MB, PASSES times: the race detector's fast path.
#include <stdio.h>
#include <stdlib.h>

#ifndef PASSES
#define PASSES 20
#endif
enum { kWords = (1 << 20) / sizeof(unsigned) };

__attribute__((noinline)) static unsigned pass(unsigned* buffer, unsigned seed) {
  for (unsigned i = 0; i < kWords; i++) {
    seed = seed * 1664525u + 1013904223u;
    buffer[i] = buffer[i] + seed;
  }
  return seed;
}

int main(void) {
  unsigned* buffer = calloc(kWords, sizeof *buffer);
  unsigned seed = 1;
  for (int i = 0; i < PASSES; i++) seed = pass(buffer, seed);
  printf("%u\n", buffer[seed % kWords]);
  free(buffer);
  return 0;
}

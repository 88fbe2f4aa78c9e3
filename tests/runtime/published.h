// One thread makes a block by MAKE and hands it to another one through an atomic pointer, stored with ORDER; that one reads
// the byte at AT.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "together.h"

#ifndef AT
#define AT 0
#endif

static _Atomic(char*) shared;
static volatile char sink;

static void* maker(void* unused) {
  char* block = 0;
  MAKE;
  atomic_store_explicit(&shared, block, ORDER);
  return unused;
}

static void* reader(void* unused) {
  char* block = atomic_load_explicit(&shared, memory_order_acquire);
  if (block) sink = block[AT];
  return unused;
}

int main(void) {
  together(maker, reader);
  free(shared);
  return 0;
}

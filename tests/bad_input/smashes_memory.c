// Writes upwards from a static variable until it faults, uninstrumented: the tool must not believe what it finds in memory.
// EXPECT: bug crash
__attribute__((no_sanitize_thread)) static void smash(volatile char* from) {
  for (;;) *from++ = 0x5a;
}

static char start[16];

int main(void) {
  smash(start);
  return 0;
}

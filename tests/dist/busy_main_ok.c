// One long run, and nothing to divide: whoever has no unit has to wait for a while.
int main(void) {
  for (volatile long i = 0; i < 2000000000; ++i) {}
}

// A write through null.
// EXPECT: bug crash
// MESSAGE: SIGSEGV
// LOCATION: HERE
int* volatile nowhere;

int main(void) {
  *(volatile int*)nowhere = 1;  // HERE
  return 0;
}

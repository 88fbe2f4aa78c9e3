// A constructor that never comes back.
// EXPECT: error 2
// MESSAGE: main
// OPTIONS: --hang-timeout=0.5
// TIMEOUT: 60
__attribute__((constructor)) static void wait_forever(void) {
  for (volatile int i = 0;; i++) {
  }
}

int main(void) { return 0; }

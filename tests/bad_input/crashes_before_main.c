// A constructor crashes.
// EXPECT: error 2
// MESSAGE: before main
int* volatile nowhere;

__attribute__((constructor)) static void crash(void) { *nowhere = 1; }

int main(void) { return 0; }

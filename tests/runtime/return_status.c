// So is one that main returns.
// EXPECT: bug uncaught-exit
int main(void) { return 3; }

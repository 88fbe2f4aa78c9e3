// __builtin_trap.
// EXPECT: bug crash
// MESSAGE: SIGILL|SIGTRAP
int main(void) { __builtin_trap(); }

// syscall() with a number that starts a process: named, and told at the program's line.
// EXPECT: unsupported
// MESSAGE: (?s)\bfork\b.*unsupported_syscall\.c:\d+
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void) { return (int)syscall(SYS_fork); }

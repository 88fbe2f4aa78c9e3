// A constructor starts a process: refused with the call's name and place, before main too.
// EXPECT: unsupported
// MESSAGE: fork.*unsupported_before_main_fork\.c:9
#include <sys/types.h>
#include <unistd.h>

static pid_t child;

__attribute__((constructor)) static void start(void) { child = fork(); }

int main(void) { return child < 0; }

// How often this machine can fork() and waitpid() in a second: the yardstick of the engine's figures.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  const double start = now();
  long forks = 0;
  do {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0 || waitpid(child, 0, 0) != child) return 1;
    ++forks;
  } while (now() - start < seconds);
  printf("%.1f\n", forks / (now() - start));
  return 0;
}

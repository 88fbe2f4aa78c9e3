// How many processors there are does not depend on the machine (--cpus), and where a thread is to run is nothing that matters.
// EXPECT: verified
// OPTIONS: --cpus=3
// ORACLE: none three processors are what heddle was told
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

int main(void) {
  assert(get_nprocs() == 3 && get_nprocs_conf() == 3);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 3 && sysconf(_SC_NPROCESSORS_CONF) == 3);
  assert(sched_getcpu() == 0);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  struct sched_param parameter = {0};
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter) == 0);
  assert(pthread_setschedprio(pthread_self(), 0) == 0);
  return 0;
}

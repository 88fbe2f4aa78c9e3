// timer_create may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\btimer_create\b.*unsupported_timer_create\.c:\d+
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

int main(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD};
  timer_t timer;
  return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

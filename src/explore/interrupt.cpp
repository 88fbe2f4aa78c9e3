#include "explore/interrupt.h"

#include <time.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace heddle {
namespace {

constexpr std::int64_t kSameMs = 300;  // whoever presses a key twice takes longer

volatile std::sig_atomic_t g_interrupted = 0;
std::atomic<std::int64_t> g_first_ms = 0;
std::atomic<bool> g_second_ends = true;
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);  // written by a signal handler

std::int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void remember(int number) {
  if (g_interrupted == 0) {
    g_first_ms = now_ms();
    g_interrupted = 1;
  } else if (g_second_ends && now_ms() - g_first_ms > kSameMs) {
    std::signal(number, SIG_DFL);
    std::raise(number);  // takes effect when we have returned
  }
}

}  // namespace

void catch_interrupts(SecondInterrupt second) {
  g_second_ends = second == SecondInterrupt::Ends;
  struct sigaction action {};
  action.sa_handler = remember;  // no SA_RESTART: whoever sleeps wakes up
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files (ulimit -f) is an error like others
}

bool interrupted() { return g_interrupted != 0; }

}  // namespace heddle

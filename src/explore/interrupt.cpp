#include "explore/interrupt.h"

#include <csignal>

namespace heddle {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;  // the one thing a signal handler may write

void remember(int) { g_interrupted = 1; }

}  // namespace

void catch_interrupts(SecondInterrupt second) {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags =
      second == SecondInterrupt::Ends ? static_cast<int>(SA_RESETHAND) : 0;  // no SA_RESTART: whoever sleeps wakes up
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files (ulimit -f) is an error like others
}

bool interrupted() { return g_interrupted != 0; }

}  // namespace heddle

// std::thread::join and detach: they mark the object as free after the thread has ended, not
// before, so that what the thread itself has read of it does not race.
#include <thread>

#include "announce.h"
#include "real.h"

namespace {

using heddle::libstdcxx::Real;

Real<void(std::thread*)> join_thread, detach_thread;

HEDDLE_UNSEEN auto* real_join() { return join_thread.get("_ZNSt6thread4joinEv"); }
HEDDLE_UNSEEN auto* real_detach() { return detach_thread.get("_ZNSt6thread6detachEv"); }

HEDDLE_BEFORE_MAIN void find_all() {
  real_join();
  real_detach();
}

}  // namespace

void std::thread::join() {
  heddle::libstdcxx::reads(*this);
  real_join()(this);
  heddle::libstdcxx::writes(*this);
}

void std::thread::detach() {
  heddle::libstdcxx::reads(*this);
  real_detach()(this);
  heddle::libstdcxx::writes(*this);
}

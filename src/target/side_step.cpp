#include "target/side_step.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <bit>
#include <cstdio>

#include "base/unique_fd.h"

namespace heddle {
namespace {

// How many processes of the whole machine want a processor now, ourselves included; a lot if that cannot be known.
int wanted_processors() {
  constexpr int kMany = 1 << 20;
  char text[64];
  const UniqueFd fd(open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  const ssize_t length = fd ? read(fd.get(), text, sizeof text - 1) : 0;
  if (length <= 0) return kMany;
  text[length] = '\0';
  int wanted = 0;
  return std::sscanf(text, "%*s %*s %*s %d/", &wanted) == 1 ? wanted : kMany;
}

// Taken from the set of those that it may use, a processor is left at once. It may be returned to whenever the kernel likes.
void leave(int processor, const cpu_set_t& allowed) {
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<std::size_t>(processor), &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

void SideStep::step() {
  if (!std::has_single_bit(++asked_)) return;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  if (wanted_processors() <= CPU_COUNT(&allowed)) leave(here, allowed);  // with more, we would only queue up elsewhere
}

}  // namespace heddle

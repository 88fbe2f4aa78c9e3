// Waiting on a word of memory that two processes share.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstdint>

namespace heddle {

// Returns when woken, when *word is not `value`, after `ms`, or for a signal: the caller looks again anyway.
inline void futex_wait(std::uint32_t* word, std::uint32_t value, long ms) {
  const timespec timeout{ms / 1000, (ms % 1000) * 1'000'000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, nullptr, 0);
}

inline void futex_wake(std::uint32_t* word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace heddle

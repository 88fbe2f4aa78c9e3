// What a process has done, as one look at it tells. Time alone says little on a busy machine: a process may get none of it.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace heddle {

struct Activity {
  using Clock = std::chrono::steady_clock;
  enum class State {
    Runs,     // on a processor, or would be if there were one for it
    Blocked,  // in a system call that waits for something
    Stopped,  // by a signal or a debugger: somebody else wants it to stand still
    Dead,
  };
  State state = State::Runs;
  std::chrono::milliseconds processor{0};  // time that it has had since it was started
  Clock::time_point when;
};

// From the text of /proc/PID/stat; nothing if it is not like that.
std::optional<Activity> parse_activity(std::string_view stat, long ticks_per_second);

// Nothing if there is no such process.
std::optional<Activity> activity_of(pid_t pid);

}  // namespace heddle

#include "target/activity.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace heddle {
namespace {

Activity::State state_of(char letter) {
  switch (letter) {
    case 'R':
      return Activity::State::Runs;
    case 'T':
    case 't':
      return Activity::State::Stopped;
    case 'Z':
    case 'X':
      return Activity::State::Dead;
    default:
      return Activity::State::Blocked;
  }
}

}  // namespace

std::optional<Activity> parse_activity(std::string_view stat, long ticks_per_second) {
  const std::size_t name_end = stat.rfind(')');  // the name before it may contain anything
  if (name_end == std::string_view::npos) return std::nullopt;
  const std::string rest(stat.substr(name_end + 1));
  char letter = 0;
  unsigned long long user = 0, system = 0;  // fields 14 and 15; the letter is the third
  if (std::sscanf(rest.c_str(), " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &letter, &user, &system) != 3) return std::nullopt;
  const auto ticks = static_cast<long long>(user + system);
  return Activity{state_of(letter), std::chrono::milliseconds(ticks * 1000 / ticks_per_second), {}};
}

std::optional<Activity> activity_of(pid_t pid) {
  char text[1024];
  const UniqueFd fd(open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t length = fd ? read(fd.get(), text, sizeof text) : 0;
  if (length <= 0) return std::nullopt;
  std::optional<Activity> activity = parse_activity({text, static_cast<std::size_t>(length)}, sysconf(_SC_CLK_TCK));
  if (activity) activity->when = Activity::Clock::now();
  return activity;
}

}  // namespace heddle

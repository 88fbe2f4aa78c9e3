#include "cli/replay_gdb.h"

#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

extern char** environ;

namespace heddle {
namespace {

constexpr std::chrono::seconds kPatience{10};  // with a program that gdb has let go

// The breakpoints are the runtime's (turns_threads.cpp): heddle_finding(place, step) and heddle_step(place). Crashes stop at
// the signal; SIGSYS is how the runtime sees system calls.
constexpr const char* kScript = R"(
handle SIGSYS nostop noprint pass
define heddle-frame
  if $rdi != 0
    set $heddle_place = $rdi + 1
    while $pc != $heddle_place
      up-silently
    end
    frame
  end
end
document heddle-frame
Go from a stop in Heddle's runtime up to the program's own code.
end
define heddle-step
  tbreak *heddle_step
  continue
  if $pc == (unsigned long)&heddle_step
    heddle-frame
  end
end
document heddle-step
Run up to the next operation of the recorded schedule, whichever thread's it is.
end
break *heddle_finding if $rsi >= {step}
commands
  silent
  echo heddle: {message}\n
  heddle-frame
end
)";
constexpr const char* kToMain =
    "tbreak main\ncontinue\necho heddle: `continue` goes to the finding, `heddle-step` to the next operation of the "
    "schedule\\n\n";
constexpr const char* kToFinding = "continue\n";

// As an argument of gdb's echo.
std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

std::string script_for(const Finding& finding, bool stop_at_main) {
  std::string script = replaced(kScript, "{step}", std::to_string(finding.step));
  return replaced(script, "{message}", escaped(finding.message)) + (stop_at_main ? kToMain : kToFinding);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

bool is_traced(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(status, line);)
    if (line.rfind("TracerPid:", 0) == 0) return std::stol(line.substr(10)) != 0;
  return false;
}

// Looks without reaping: whoever owns the process does that.
bool is_dead(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

void nap() {
  const timespec time{0, 10'000'000};
  nanosleep(&time, nullptr);
}

}  // namespace

GdbSession::GdbSession(std::vector<std::string> arguments, bool stop_at_main)
    : arguments_(std::move(arguments)), stop_at_main_(stop_at_main) {
  for (char** entry = environ; *entry != nullptr; ++entry) environment_.emplace_back(*entry);
}

Status GdbSession::start(const Finding& finding) {
  const std::string script = script_for(finding, stop_at_main_);
  script_.reset(memfd_create("heddle-gdb", 0));
  if (!script_ || write(script_.get(), script.data(), script.size()) != static_cast<ssize_t>(script.size()))
    return Error{fmt::format("cannot create a memory file: {}", std::strerror(errno)), "run `heddle doctor`"};
  std::vector<std::string> words{
      "gdb", "-q", "-p", std::to_string(target_), "-x", fmt::format("/proc/self/fd/{}", script_.get())};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t usual;
  sigemptyset(&usual);
  for (int number : {SIGINT, SIGQUIT}) {
    signal(number, SIG_IGN);  // Ctrl-C is for gdb
    sigaddset(&usual, number);
  }
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&gdb_, "gdb", nullptr, &how, pointers(words).data(), pointers(environment_).data());
  posix_spawnattr_destroy(&how);
  if (error == ENOENT)
    return Error{"--gdb needs gdb, which is not installed: it is in the package gdb (apt-get install gdb)", ""};
  if (error != 0) return Error{fmt::format("cannot start gdb: {}", std::strerror(error)), ""};
  return Nothing{};
}

Status GdbSession::await_attachment() {
  while (!is_traced(target_)) {
    if (has_ended())
      return Error{"gdb has ended without the program",
                   "may it trace processes? (/proc/sys/kernel/yama/ptrace_scope, or a container without ptrace)"};
    nap();
  }
  return Nothing{};
}

void GdbSession::show_output() {
  char buffer[4096];
  for (ssize_t got; (got = pread(output_fd_, buffer, sizeof buffer, shown_)) > 0; shown_ += got)
    if (write(STDOUT_FILENO, buffer, static_cast<std::size_t>(got)) != got) return;
}

bool GdbSession::has_ended() {
  if (!ended_ && waitpid(gdb_, nullptr, WNOHANG) == gdb_) ended_ = std::chrono::steady_clock::now();
  return ended_.has_value();
}

void GdbSession::wait_for_end() {
  while (!has_ended()) nap();
}

bool GdbSession::is_over() {
  if (target_ < 0) return false;  // still on its way to main
  show_output();
  return is_dead(target_) || (has_ended() && std::chrono::steady_clock::now() - *ended_ > kPatience);
}

Result<Trace> GdbSession::run(ProcessProgram& program, const Request& request, const Finding& finding) {
  target_ = program.target_pid();
  output_fd_ = program.output_fd();
  if (Status started = start(finding); !started) return started.error();
  if (Status attached = await_attachment(); !attached) return attached.error();
  Result<Trace> trace = program.run(request);
  show_output();
  wait_for_end();
  if (!trace && trace.error().code == ExitCode::Incomplete)
    return Error{"the run was left before its end", "", ExitCode::Incomplete};
  return trace;
}

}  // namespace heddle

#include "target/target_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wire/wire.h"

extern char** environ;

namespace heddle {
namespace {

constexpr int kQuietFd = 900;  // far from the numbers that the program's own files get

bool is_variable(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.substr(0, name.size()) == name && entry[name.size()] == '=';
}

// The segment's number is last, with room for any: the child knows it first.
constexpr std::string_view kNumber = "0000000000";

std::vector<std::string> target_environment() {
  // Symbols bound at first use would be written into memory that is rolled back, and so be looked up in every run again.
  std::vector<std::string> variables{"LD_BIND_NOW=1"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (is_variable(*entry, "GLIBC_TUNABLES") || is_variable(*entry, "LD_BIND_NOW") || is_variable(*entry, wire::kFdVariable))
      continue;
    variables.emplace_back(*entry);
  }
  variables.push_back("GLIBC_TUNABLES=" + tunables_without_rseq(std::getenv("GLIBC_TUNABLES")));
  variables.push_back(fmt::format("{}={}", wire::kFdVariable, kNumber));
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

// A fresh open file description of what `fd` refers to, so that no offset is shared between targets.
int reopen(int fd, int flags) { return open(fmt::format("/proc/self/fd/{}", fd).c_str(), flags | O_CLOEXEC); }

// What the child still has to do between vfork and exec. Prepared before, so that the child only makes system calls.
struct ChildSetup {
  const char* path;
  char** argv;
  char** envp;
  char* segment_number;  // in envp
  int segment_fd, input_fd, output_fd, error_pipe;
  pid_t parent;
};

[[noreturn]] void report_and_exit(int pipe, int error) {
  [[maybe_unused]] ssize_t sent = write(pipe, &error, sizeof error);
  _exit(127);
}

// Where memory runs out all the same, the kernel is to kill the target and nobody else.
void offer_to_the_oom_killer() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] ssize_t done = write(fd, "1000", 4);
  close(fd);
}

// Done here, where the table of descriptors is nobody else's: to make it larger in a process that has threads (MPI's) takes the kernel several milliseconds.
bool keep_segment(const ChildSetup& setup) {
  int fd = fcntl(setup.segment_fd, F_DUPFD, kQuietFd);
  if (fd < 0) fd = fcntl(setup.segment_fd, F_DUPFD, 3);
  for (std::size_t i = kNumber.size(); i-- > 0 && fd > 0; fd /= 10) setup.segment_number[i] = static_cast<char>('0' + fd % 10);
  return fd == 0;
}

[[noreturn]] void become_target(const ChildSetup& setup) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != setup.parent) _exit(127);  // the tool died before the line above
  setpgid(0, 0);
  offer_to_the_oom_killer();
  personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
  // Ctrl-C handling of the tool is not the program's: exec resets handlers, ignored signals and masks have to be undone.
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool moved = keep_segment(setup) && dup2(setup.input_fd, 0) == 0 && dup2(setup.output_fd, 1) == 1 && dup2(setup.output_fd, 2) == 2;
  if (!moved) report_and_exit(setup.error_pipe, errno);
  execve(setup.path, setup.argv, setup.envp);
  report_and_exit(setup.error_pipe, errno);
}

Error cannot_start(const std::string& path, int error) {
  return {fmt::format("cannot start {}: {}", path, std::strerror(error)), "run `heddle doctor`"};
}

// Pages that are resident and not shared, as /proc/PID/statm counts them, in bytes.
std::uint64_t own_memory(pid_t pid) {
  char text[128];
  const UniqueFd fd(open(fmt::format("/proc/{}/statm", pid).c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t length = fd ? read(fd.get(), text, sizeof text - 1) : 0;
  if (length <= 0) return 0;
  text[length] = '\0';
  unsigned long long total = 0, resident = 0, shared = 0;
  if (std::sscanf(text, "%llu %llu %llu", &total, &resident, &shared) != 3 || shared > resident) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Everything in `from`, which may take as long as its writer likes.
Status slurp(int from, int to, const std::function<bool()>& give_up) {
  char buffer[1 << 16];
  for (int waited_ms = 0;;) {
    if (give_up()) return Error{"interrupted while reading standard input", "", ExitCode::Incomplete};
    pollfd ready{from, POLLIN, 0};
    if (poll(&ready, 1, 100) == 0) {
      if ((waited_ms += 100) == 2000) {
        std::fputs("heddle: waiting for the end of standard input, which the program may read (use </dev/null for none)\n",
                   stderr);
      }
      continue;
    }
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got == 0) return Nothing{};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{fmt::format("cannot read standard input: {}", std::strerror(errno)), "try </dev/null"};
    if (write(to, buffer, static_cast<std::size_t>(got)) != got)
      return Error{"cannot keep standard input in memory", "give it as a file"};
  }
}

}  // namespace

std::string tunables_without_rseq(const char* existing) {
  constexpr std::string_view kName = "glibc.pthread.rseq=";
  std::string merged;
  std::string_view rest = existing == nullptr ? "" : existing;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string_view entry = rest.substr(0, colon);
    if (!entry.empty() && entry.substr(0, kName.size()) != kName) merged.append(entry).append(":");
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  return merged.append(kName).append("0");
}

Result<UniqueFd> capture_stdin(const std::function<bool()>& give_up) {
  struct stat facts {};
  if (fstat(0, &facts) != 0 || isatty(0) || S_ISCHR(facts.st_mode)) return UniqueFd{};
  if (S_ISREG(facts.st_mode)) return UniqueFd{fcntl(0, F_DUPFD_CLOEXEC, kQuietFd)};
  UniqueFd memory(memfd_create("heddle-stdin", MFD_CLOEXEC));
  if (!memory) return Error{fmt::format("cannot create a memory file: {}", std::strerror(errno)), "run `heddle doctor`"};
  if (Status read = slurp(0, memory.get(), give_up); !read) return read.error();
  return memory;
}

Result<UniqueFd> create_output_file() {
  UniqueFd memory(memfd_create("heddle-output", MFD_CLOEXEC));
  if (!memory) return Error{fmt::format("cannot create a memory file: {}", std::strerror(errno)), "run `heddle doctor`"};
  return memory;
}

Result<TargetProcess> TargetProcess::start(const Launch& launch) {
  UniqueFd output(reopen(launch.output_fd, O_RDWR | O_APPEND));
  UniqueFd input(launch.input_fd >= 0 ? reopen(launch.input_fd, O_RDONLY) : open("/dev/null", O_RDONLY | O_CLOEXEC));
  int error_pipe[2];
  if (!output || !input || pipe2(error_pipe, O_CLOEXEC) != 0) return cannot_start(launch.path, errno);
  UniqueFd error_in(error_pipe[0]), error_out(error_pipe[1]);

  std::vector<std::string> words{launch.path};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> variables = target_environment();
  std::vector<char*> argv = pointers(words), envp = pointers(variables);
  char* number = variables.back().data() + variables.back().size() - kNumber.size();
  const ChildSetup setup{launch.path.c_str(), argv.data(), envp.data(), number, launch.segment_fd, input.get(), output.get(), error_out.get(), getpid()};
  const pid_t pid = vfork();  // nothing is copied: the child only makes system calls, on our memory, while we wait
  if (pid < 0) return cannot_start(launch.path, errno);
  if (pid == 0) become_target(setup);

  setpgid(pid, pid);  // whoever comes first; the child does the same
  TargetProcess process(pid);
  error_out.reset();
  int error = 0;
  if (read(error_in.get(), &error, sizeof error) == sizeof error) return cannot_start(launch.path, error);
  return process;
}

TargetProcess::TargetProcess(TargetProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

TargetProcess& TargetProcess::operator=(TargetProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  return *this;
}

TargetProcess::~TargetProcess() { kill(); }

std::optional<int> TargetProcess::poll_death() {
  int status = 0;
  if (!status_ && pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

void TargetProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);  // also after its death: children of the fork executor may be left
  if (status_) return;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
}

bool TargetProcess::is_member(pid_t pid) const { return pid > 1 && getpgid(pid) == pid_; }

void TargetProcess::signal(int number, pid_t member) {
  if (status_ || pid_ <= 0) return;
  ::kill(is_member(member) ? member : pid_, number);
}

std::uint64_t TargetProcess::memory(pid_t member) const {
  if (status_ || pid_ <= 0) return 0;
  const std::uint64_t whole = own_memory(pid_);
  return is_member(member) ? std::max(whole, own_memory(member)) : whole;
}

Activity TargetProcess::activity(pid_t member) const {
  const std::optional<Activity> own = is_member(member) ? activity_of(member) : std::nullopt;
  if (own && own->state != Activity::State::Dead) return *own;  // the dead wait for their parent, who may wait for a processor
  // Where nothing can be known, time goes by.
  return activity_of(pid_).value_or(Activity{Activity::State::Blocked, {}, Activity::Clock::now()});
}

}  // namespace heddle

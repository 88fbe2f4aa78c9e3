// The tested program as a process: started with everything a run may depend on fixed, and never left behind.
#pragma once
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "target/activity.h"

namespace heddle {

struct Launch {
  std::string path;
  std::vector<std::string> arguments;  // without argv[0]
  int segment_fd = -1;
  int output_fd = -1;  // becomes stdout and stderr
  int input_fd = -1;   // a regular file or memfd: each target gets its own offset; -1: /dev/null
};

class TargetProcess {
 public:
  static Result<TargetProcess> start(const Launch& launch);

  TargetProcess(TargetProcess&& other) noexcept;
  TargetProcess& operator=(TargetProcess&& other) noexcept;
  ~TargetProcess();

  pid_t pid() const { return pid_; }
  // The wait status once it is dead; stays known.
  std::optional<int> poll_death();
  // Kill it with everything it started, and reap it. ENSURES poll_death() has an answer.
  void kill();
  // Send a signal to the target, or to `member` if that is a process of the target's own group.
  void signal(int number, pid_t member);
  // Bytes of memory that it takes, or `member` if that is a process of its group and takes more.
  std::uint64_t memory(pid_t member) const;
  // What it does, or `member` if that is a process of its group and alive.
  Activity activity(pid_t member) const;

 private:
  explicit TargetProcess(pid_t pid) : pid_(pid) {}
  bool is_member(pid_t pid) const;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

// What the program will read as its standard input: a regular file as it is, a pipe read to its end once so that every
// run gets the same, a terminal not at all (an empty UniqueFd). `give_up` is asked while waiting for a pipe.
Result<UniqueFd> capture_stdin(const std::function<bool()>& give_up);

// An unlinked file that collects what the program prints.
Result<UniqueFd> create_output_file();

// An existing GLIBC_TUNABLES value with rseq switched off in it.
std::string tunables_without_rseq(const char* existing);

}  // namespace heddle

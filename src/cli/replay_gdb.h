// A recorded run under gdb: the program's threads are real ones (wire::Turns::Threads), gdb has the terminal, and we serve
// the schedule.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "detect/finding.h"
#include "target/process_program.h"

namespace heddle {

class GdbSession {
 public:
  // `arguments` are for gdb. To be made before the environment is the recorded program's: gdb gets the user's own.
  GdbSession(std::vector<std::string> arguments, bool stop_at_main);

  // For ProcessOptions::give_up: what the program prints is shown meanwhile. True: there is nothing left to wait for.
  bool is_over();

  // The run that shows `finding`, and gdb until the user leaves it. A program that gdb lets go on its way goes on to the end
  // of the run. REQUIRES a program on real threads, without a limit of time.
  Result<Trace> run(ProcessProgram& program, const Request& request, const Finding& finding);

 private:
  Status start(const Finding& finding);
  Status await_attachment();
  void show_output();
  bool has_ended();
  void wait_for_end();

  std::vector<std::string> arguments_, environment_;
  bool stop_at_main_;
  pid_t gdb_ = -1, target_ = -1;
  int output_fd_ = -1;
  off_t shown_ = 0;  // so much of the program's output
  UniqueFd script_;
  std::optional<std::chrono::steady_clock::time_point> ended_;
};

}  // namespace heddle

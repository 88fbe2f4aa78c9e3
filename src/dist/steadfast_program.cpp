#include "dist/steadfast_program.h"

#include <signal.h>
#include <sys/wait.h>

#include <utility>

namespace heddle {
namespace {

constexpr int kMostRepeats = 10;

bool was_killed(const Result<Trace>& trace) {
  return trace && trace->end == wire::End::Died && WIFSIGNALED(trace->exit_status) && WTERMSIG(trace->exit_status) == SIGKILL;
}

}  // namespace

Status SteadfastProgram::submit(const Request& request) {
  if (Status sent = program_.submit(request); !sent) return sent;
  asked_.push_back(request);
  return Nothing{};
}

Result<Trace> SteadfastProgram::collect() {
  const Request request = std::move(asked_.front());
  asked_.pop_front();
  if (!arrived_.empty()) {
    Result<Trace> trace = std::move(arrived_.front());
    arrived_.pop_front();
    return trace;
  }
  Result<Trace> trace = program_.collect();
  if (!was_killed(trace)) return trace;
  while (program_.in_flight() > 0) arrived_.push_back(program_.collect());
  for (int repeats = 0; repeats < kMostRepeats && was_killed(trace); ++repeats) trace = program_.run(request);
  return trace;
}

}  // namespace heddle

// Workers as processes on this machine: forked from the balancer, a socket each. A worker that dies is noticed by its socket.
#pragma once
#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>

#include "base/result.h"
#include "base/unique_fd.h"
#include "dist/link.h"

namespace heddle {

class ProcessCrew final : public Crew {
 public:
  using Body = std::function<void(Link&, int number)>;  // what a worker does, in its own process

  // REQUIRES a single-threaded process.
  static Result<std::unique_ptr<ProcessCrew>> start(int workers, Body body);
  ~ProcessCrew() override;  // kills those that are left

  std::vector<int> workers() const override;
  void send(int worker, const Bytes& message) override;
  Arrival receive(int wait_ms, bool urgent) override;
  std::optional<int> replace(int worker) override;

 private:
  struct Member {
    pid_t pid = -1;
    UniqueFd socket;
    Bytes buffer;  // received, not yet a whole message
  };

  explicit ProcessCrew(Body body) : body_(std::move(body)) {}
  Status hire();
  Arrival dismiss(int worker);

  Body body_;
  std::map<int, Member> members_;
  int next_ = 1;
};

}  // namespace heddle

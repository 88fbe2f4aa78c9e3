#include "dist/process_crew.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace heddle {
namespace {

bool write_all(int fd, const unsigned char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::send(fd, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// A message is its length, four bytes, and itself.
bool send_message(int fd, const Bytes& message) {
  HEDDLE_CHECK(message.size() <= kMostMessageBytes, "a message that is too long");
  const auto length = static_cast<std::uint32_t>(message.size());
  Bytes framed(sizeof length + message.size());
  std::memcpy(framed.data(), &length, sizeof length);
  std::copy(message.begin(), message.end(), framed.begin() + sizeof length);
  return write_all(fd, framed.data(), framed.size());
}

// False: the other end is gone.
bool read_some(int fd, Bytes& buffer, int flags) {
  unsigned char piece[65536];
  const ssize_t n = recv(fd, piece, sizeof piece, flags);
  if (n > 0) buffer.insert(buffer.end(), piece, piece + n);
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

std::optional<Bytes> first_message(Bytes& buffer) {
  std::uint32_t length;
  if (buffer.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, buffer.data(), sizeof length);
  if (buffer.size() - sizeof length < length) return std::nullopt;
  const auto begin = buffer.begin() + sizeof length;
  Bytes message(begin, begin + length);
  buffer.erase(buffer.begin(), begin + length);
  return message;
}

class SocketLink final : public Link {
 public:
  explicit SocketLink(UniqueFd socket) : socket_(std::move(socket)) {}

  bool send(const Bytes& message) override { return send_message(socket_.get(), message); }

  std::optional<Bytes> receive(bool wait) override {
    for (;;) {
      if (auto message = first_message(buffer_)) return message;
      const std::size_t before = buffer_.size();
      if (!read_some(socket_.get(), buffer_, wait ? 0 : MSG_DONTWAIT)) {
        if (wait) return std::nullopt;
        _exit(0);  // the balancer is gone
      }
      if (!wait && buffer_.size() == before) return std::nullopt;
    }
  }

 private:
  UniqueFd socket_;
  Bytes buffer_;
};

}  // namespace

Result<std::unique_ptr<ProcessCrew>> ProcessCrew::start(int workers, Body body) {
  std::unique_ptr<ProcessCrew> crew(new ProcessCrew(std::move(body)));
  for (int i = 0; i < workers; ++i)
    if (Status hired = crew->hire(); !hired) return hired.error();
  return crew;
}

ProcessCrew::~ProcessCrew() {
  for (auto& [name, m] : members_) kill(m.pid, SIGKILL);
  for (auto& [name, m] : members_) waitpid(m.pid, nullptr, 0);
}

Status ProcessCrew::hire() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{fmt::format("no socket for a worker: {}", std::strerror(errno)), "use fewer workers"};
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const pid_t balancer = getpid();
  const pid_t pid = fork();
  if (pid < 0) return Error{fmt::format("cannot start a worker: {}", std::strerror(errno)), "use fewer workers"};
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != balancer) _exit(0);
    signal(SIGINT, SIG_IGN);  // the balancer decides
    signal(SIGTERM, SIG_IGN);
    members_.clear();
    ours.reset();
    SocketLink link(std::move(theirs));
    body_(link, next_);
    _exit(0);
  }
  members_[next_++] = Member{pid, std::move(ours), {}};
  return Nothing{};
}

std::vector<int> ProcessCrew::workers() const {
  std::vector<int> names;
  for (const auto& [name, m] : members_) names.push_back(name);
  return names;
}

void ProcessCrew::send(int worker, const Bytes& message) {
  const auto it = members_.find(worker);
  if (it != members_.end()) send_message(it->second.socket.get(), message);  // a dead one is noticed by receive()
}

Arrival ProcessCrew::receive(int wait_ms, bool) {
  std::vector<pollfd> fds;
  std::vector<int> names;
  for (auto& [name, m] : members_) {
    if (auto message = first_message(m.buffer)) return {Arrival::Kind::Message, name, std::move(*message), false};
    fds.push_back({m.socket.get(), POLLIN, 0});
    names.push_back(name);
  }
  if (poll(fds.data(), fds.size(), wait_ms) <= 0) return {};
  for (std::size_t i = 0; i < fds.size(); ++i) {
    if (fds[i].revents == 0) continue;
    Member& m = members_[names[i]];
    if (!read_some(fds[i].fd, m.buffer, MSG_DONTWAIT)) return dismiss(names[i]);
  }
  for (auto& [name, m] : members_)
    if (auto message = first_message(m.buffer)) return {Arrival::Kind::Message, name, std::move(*message), false};
  return {};
}

Arrival ProcessCrew::dismiss(int worker) {
  Member& m = members_[worker];
  kill(m.pid, SIGKILL);
  int status = 0;
  waitpid(m.pid, &status, 0);
  members_.erase(worker);
  const bool broken = WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitCode::Internal);
  return {Arrival::Kind::Lost, worker, {}, broken};
}

std::optional<int> ProcessCrew::replace(int) {
  if (!hire()) return std::nullopt;
  return next_ - 1;
}

}  // namespace heddle

#include "dist/mpi_crew.h"

#include <algorithm>
#include <chrono>

#include "dist/messages.h"

namespace heddle {
namespace {

constexpr int kForever = 3'600'000;

bool is(const MpiSession::Envelope& envelope, MpiTag tag) { return envelope.tag == static_cast<int>(tag); }

}  // namespace

// --- a worker's end --------------------------------------------------------------------------------------------------

void MpiLink::look(int wait_ms) {
  auto envelope = session_.receive(wait_ms);
  if (!envelope) return;
  if (is(*envelope, MpiTag::End)) ended_ = true;
  else arrived_.push_back(std::move(*envelope));
}

bool MpiLink::ended() {
  if (!ended_) look(0);
  return ended_;
}

std::optional<Bytes> MpiLink::receive(bool wait) {
  if (!ended_ && arrived_.empty()) look(0);
  while (wait && !ended_ && arrived_.empty()) look(kForever);
  if (ended_) return to_bytes(Command{});
  if (arrived_.empty()) return std::nullopt;
  Bytes message = std::move(arrived_.front().message);
  arrived_.erase(arrived_.begin());
  return message;
}

std::optional<Bytes> MpiLink::await(MpiTag tag) {
  for (;;) {
    const auto it = std::find_if(arrived_.begin(), arrived_.end(), [&](const auto& e) { return is(e, tag); });
    if (it != arrived_.end()) {
      Bytes message = std::move(it->message);
      arrived_.erase(arrived_.begin(), it + 1);
      return message;
    }
    if (ended_) return std::nullopt;
    look(kForever);
  }
}

// --- the balancer's end ----------------------------------------------------------------------------------------------

MpiCrew::MpiCrew(MpiSession& session) : session_(session) {
  for (int rank = 1; rank < session.size(); ++rank) rank_of_[next_++] = rank;
}

std::vector<int> MpiCrew::workers() const {
  std::vector<int> names;
  for (const auto& [worker, rank] : rank_of_) names.push_back(worker);
  return names;
}

void MpiCrew::send(int worker, const Bytes& message) {
  const auto it = rank_of_.find(worker);
  if (it != rank_of_.end()) session_.send(it->second, static_cast<int>(MpiTag::Message), message);
}

Arrival MpiCrew::receive(int wait_ms, bool urgent) {
  auto envelope = session_.receive(wait_ms, urgent ? MpiSession::Naps::Short : MpiSession::Naps::Long);
  if (!envelope) return {};
  const auto it = std::find_if(rank_of_.begin(), rank_of_.end(), [&](const auto& w) { return w.second == envelope->rank; });
  if (it == rank_of_.end()) return {};
  if (is(*envelope, MpiTag::Message)) return {Arrival::Kind::Message, it->first, std::move(envelope->message), false};
  if (!is(*envelope, MpiTag::Left)) return {};
  const int worker = it->first;
  left_[worker] = it->second;
  rank_of_.erase(it);
  return {Arrival::Kind::Lost, worker, {}, false};
}

std::optional<int> MpiCrew::replace(int worker) {
  const auto it = left_.find(worker);
  if (it == left_.end()) return std::nullopt;
  session_.send(it->second, static_cast<int>(MpiTag::Return), {});
  rank_of_[next_] = it->second;
  left_.erase(it);
  return next_++;
}

void MpiCrew::welcome(const Bytes& message) {
  for (int rank = 1; rank < session_.size(); ++rank) session_.send(rank, static_cast<int>(MpiTag::Welcome), message);
}

std::optional<std::pair<int, Bytes>> MpiCrew::receive_muster(int wait_ms) {
  auto envelope = session_.receive(wait_ms);
  if (!envelope || !is(*envelope, MpiTag::Muster)) return std::nullopt;
  return std::pair{envelope->rank, std::move(envelope->message)};
}

void MpiCrew::end() {
  if (std::exchange(ended_, true)) return;
  for (int rank = 1; rank < session_.size(); ++rank) session_.send(rank, static_cast<int>(MpiTag::End), {});
}

bool MpiCrew::everyone_left(int wait_ms) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds(wait_ms);
  int there = session_.size() - 1;
  while (there > 0 && Clock::now() < deadline) {
    const auto envelope = session_.receive(100);
    if (envelope && is(*envelope, MpiTag::Bye)) --there;
  }
  return there == 0;
}

}  // namespace heddle

// Workers as MPI ranks. Rank 0 has the crew's end; every other rank has a Link, and works until rank 0 ends it.
//
// A rank that is lost ends the whole job (mpirun sees to that). But a worker may leave, because its program cannot go on; then its rank
// waits, and works again, under a new number, when it is asked to replace the worker that left.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dist/link.h"
#include "dist/mpi_session.h"

namespace heddle {

enum class MpiTag : int {
  Welcome = 1,  // from rank 0: what to work on
  Muster,       // from a rank: ready, and with what
  Message,      // of the search
  Left,         // from a rank: its worker has gone
  Return,       // from rank 0: work again
  End,          // from rank 0: no more
  Bye,          // from a rank: it has heard so
};

class MpiLink final : public Link {
 public:
  explicit MpiLink(MpiSession& session) : session_(session) {}

  bool send(const Bytes& message) override { return !ended() && session_.send(0, static_cast<int>(MpiTag::Message), message); }
  std::optional<Bytes> receive(bool wait) override;  // after the end: a command to stop

  bool ended();  // has rank 0 said so? Also looks.
  std::optional<Bytes> await(MpiTag tag);  // nothing: the end. Whatever else comes is dropped

 private:
  void look(int wait_ms);

  MpiSession& session_;
  std::vector<MpiSession::Envelope> arrived_;
  bool ended_ = false;
};

class MpiCrew final : public Crew {
 public:
  explicit MpiCrew(MpiSession& session);

  std::vector<int> workers() const override;
  void send(int worker, const Bytes& message) override;
  Arrival receive(int wait_ms, bool urgent) override;
  std::optional<int> replace(int worker) override;

  void welcome(const Bytes& message);
  std::optional<std::pair<int, Bytes>> receive_muster(int wait_ms);  // rank, message

  void end();                      // tells all ranks, once
  bool everyone_left(int wait_ms); // after end(): all have heard it

 private:
  MpiSession& session_;
  std::map<int, int> rank_of_;     // worker → rank
  std::map<int, int> left_;        // the same, of those that left
  int next_ = 1;
  bool ended_ = false;
};

}  // namespace heddle

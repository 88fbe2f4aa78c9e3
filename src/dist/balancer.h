// The load balancer of 003 fig. 3: who is idle, who is busy, and who gets which unit. Knows no processes and no clock.
//
// Deviations from 003: units pass through the balancer, which keeps each of them until it is acknowledged, so that a lost worker
// loses nothing; and backtrack points above a unit are added here (dist/trunk.h), where 003 lets every worker keep a copy of its own.
//
// Thread numbers: every process of the program gives them out as it meets threads, so that two workers may call two threads alike. The
// balancer's directory decides. A worker whose own disagrees gets it, with another unit, and what it said since is not heard.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dist/trunk.h"

namespace heddle {

class Balancer {
 public:
  using Send = std::function<void(int worker, const Command&)>;

  // What one worker has done, also one that is lost.
  struct Record {
    Tally work;                  // all that it was heard of
    std::uint64_t units = 0;     // finished
    std::uint64_t repeated = 0;  // of its units: given out again, because it was lost or disagreed
    bool lost = false;
  };

  // threshold: a worker gives work away while it owes more branches than this; none: adapted to how small the units get.
  Balancer(Send send, std::optional<std::uint32_t> threshold, std::unique_ptr<Frontier> frontier = std::make_unique<Trunk>());

  void join(int worker);
  void lose(int worker);

  enum class Heard { Yes, Outdated, Nonsense };
  Heard take(int worker, const Report& report);  // Outdated: nothing of it counts, or has been counted

  // The search begins again, on other terms. What has been done is wasted.
  void start_over(const Terms& terms, std::unique_ptr<Frontier> frontier);
  // Everything has been explored on these terms, and what has been done counts: it goes on, on wider ones. REQUIRES finished()
  void go_on(const Terms& terms, std::unique_ptr<Frontier> frontier);
  const Terms& terms() const { return terms_; }

  bool finished() const { return frontier_->finished(); }
  const Tally& settled() const { return settled_; }
  Tally total() const;  // with what is not settled yet
  std::vector<SampledRuns> sampled() const { return frontier_->sampled(); }
  double seen() const;  // an estimate: how much of the search, from 0 to 1
  std::size_t busy() const { return workers_.size() - idle_.size(); }
  std::size_t idle() const { return idle_.size(); }
  bool is_busy(int worker) const;
  std::size_t waiting() const { return frontier_->waiting(); }
  std::uint64_t units() const { return units_; }        // finished
  std::uint64_t repeated() const { return repeated_; }  // given out again
  const Tally& wasted() const { return wasted_; }       // work that is done again for that reason
  std::uint64_t made_twice() const { return frontier_->made_twice(); }
  const std::map<int, Record>& records() const { return records_; }

  const std::vector<wire::ThreadName>& threads() const { return threads_; }
  bool adopt(const std::vector<wire::ThreadName>& names);  // false: they disagree with those that we have

  // Asks everybody where they are. all_saved(): all have answered, or have nothing to say any more.
  void ask_to_save();
  bool all_saved() const;

  // The search as of now, without those who work on it.
  struct Saved {
    Bytes frontier;
    Tally settled;
    std::uint64_t units = 0, repeated = 0;
    Tally wasted;
    std::vector<wire::ThreadName> threads;
    Terms terms;
  };
  Saved save() const;
  void restore(const Saved& saved, std::unique_ptr<Frontier> frontier);  // REQUIRES that nobody has joined yet

 private:
  struct Worker {
    UnitId unit = 0;              // 0: idle
    std::uint64_t order = 0;      // under which it was given
    Tally settled, unsettled;     // of the unit
    std::optional<Tally> kept;    // of it, what is settled as soon as somebody goes on from its snapshot
    double seen = 0;
    bool asked = false;           // to unload
    bool saving = false;          // asked where it is
    std::optional<std::uint32_t> listed;  // in givers_, under this depth
  };

  void distribute();
  void ask_for_work();
  void ask(int name);
  Command* not_sent_to(int name);
  void ask_again();
  void take_unit_from(int name, Worker& worker);
  void drop(int name);
  void list(int name, Worker& worker);
  void unlist(int name, Worker& worker);
  std::uint32_t threshold() const;
  std::uint32_t least_us() const;

  Send send_;
  std::optional<std::uint32_t> fixed_;
  std::unique_ptr<Frontier> frontier_;
  std::unordered_map<int, Worker> workers_;
  // INVARIANT: those without a unit; and those that could be asked to unload, by how near the root their unit lies.
  std::set<int> idle_;
  std::set<std::pair<std::uint32_t, int>> givers_;
  std::vector<std::pair<int, Command>> given_;  // units that are being given out, not sent yet
  std::size_t most_busy_ = 0;        // at a time
  std::size_t busy_when_asked_ = 0;  // at most, of requests to unload that may not have been answered
  std::map<int, Record> records_;
  std::vector<wire::ThreadName> threads_;
  Terms terms_;
  Tally settled_, wasted_;
  std::uint64_t units_ = 0, repeated_ = 0, orders_ = 0;
};

template <class Archive> void describe(Archive& a, Balancer::Saved& s) {
  a(s.frontier)(s.settled)(s.units)(s.repeated)(s.wasted)(s.threads)(s.terms);
}

}  // namespace heddle

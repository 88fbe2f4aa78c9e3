// How the threads stand to each other in the states of the path: who holds which lock, who has begun, who has been joined.
//
// All of it is part of a state: whichever path leads there says the same. Locks are counted with too little rather than too much: the first release of a
// recursive mutex or of a read lock counts as the last one, and of more than 64 locks the rest are not known.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/views.h"

namespace heddle {

using LockSet = std::uint64_t;  // a bit for each lock

struct Holding {
  LockSet shared = 0, exclusive = 0;
  LockSet any() const { return shared | exclusive; }
  bool operator==(const Holding&) const = default;
};

class Standing {
 public:
  Holding of(int thread) const { return static_cast<std::size_t>(thread) < held_.size() ? held_[static_cast<std::size_t>(thread)] : Holding{}; }
  bool has_begun(int thread) const { return begun_.has(thread); }
  // All others that have ever begun have been joined: nothing that they do can come after what the thread does now.
  bool is_alone(int thread) const;
  int holder_of(LockSet lock, bool exclusively) const;  // one of them; -1 if nobody is known to

  void begins(int thread) { begun_.add(thread); }

 private:
  friend class Standings;
  void hold(int thread, LockSet lock, bool exclusively);
  void release(int thread, LockSet lock);

  std::vector<Holding> held_;  // by thread
  ThreadSet begun_, joined_;
};

// Gives locks their bits, and knows what an operation that was done has changed.
class Standings {
 public:
  // 0 if there is no bit left.
  LockSet bit_of(Address lock);
  // `outcome` and `alternative`: of the operation as it was done.
  void advance(Standing& standing, const OpView& operation, std::uint8_t outcome, std::uint8_t alternative);

 private:
  std::unordered_map<Address, LockSet> bits_;
};

}  // namespace heddle

// Which memory can be accessed without anybody noticing: a thread's own, and what is accessed under one lock only.
//
// Eraser's discipline (Savage et al. 1997; 004 sec. 3.3.3), kept over all explored states instead of along one run: memory stays protected as long as some
// lock has been held at each access to it, exclusively where it was written. Between taking such a lock and releasing it nobody else can come to the memory.
// Accesses of a thread that is alone (Standing::is_alone) do not count: nothing of another thread can come after them without being created by it.
//
// What is learned too late, the search starts over for. That is enough: take a shortest run to the first access that breaks the rule. Everything up to it
// is covered, and its thread comes to it with the same locks in some explored state.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "explore/reduction/standing.h"

namespace heddle {

class Protection {
 public:
  // An access that somebody is about to make, holding this. True if memory that was protected no longer is.
  bool note(const OpView& access, const Holding& held);
  // A lock that is initialised while others run may be free although somebody holds it. True if it was trusted before.
  bool distrust(LockSet lock);

  bool trusts(LockSet lock) const { return (lock & trusted_) != 0; }
  bool is_protected(const OpView& access) const;

 private:
  struct Granule {
    std::uint8_t owner;  // kNoThread: several
    LockSet locks;       // held at every access
  };
  bool is_safe(const Granule& g) const { return g.owner != wire::kNoThread || (g.locks & trusted_) != 0; }

  std::unordered_map<Address, Granule> granules_;  // of eight bytes
  LockSet trusted_ = ~LockSet{0};
};

}  // namespace heddle

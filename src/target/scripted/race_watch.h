// Data races of a scripted run: happens-before by synchronisation alone, byte-exact because variables never overlap.
//
// What is reported is a function of the Mazurkiewicz trace, not of its linearisation: for every access, the last conflicting
// access of each other thread that synchronisation does not order before it.
#pragma once
#include <cstdint>
#include <vector>

#include "model/trace.h"

namespace heddle::scripted {

class RaceWatch {
 public:
  using Clock = std::vector<std::uint32_t>;

  void reset(int threads, int variables);

  void acquire(int thread, const Clock& from);
  void release(int thread, Clock& into);  // joins: whoever acquires later sees all who released
  Clock& clock(int thread) { return clocks_[static_cast<std::size_t>(thread)]; }
  void start(int parent, int child);

  // ENSURES that every race of this access with an earlier one is appended to `reports`.
  void access(int thread, int variable, bool write, bool atomic, Address address, Address pc, std::uint32_t step,
              std::vector<wire::Report>& reports);

 private:
  struct Access {
    std::uint32_t time = 0;  // 0: none
    bool atomic = false;
    Address pc = 0;
  };
  Access& last(int variable, int thread, bool write);
  void report(int thread, int other, int variable, bool write, bool atomic, bool other_write, Address address, Address pc,
              std::uint32_t step, std::vector<wire::Report>& reports);

  int threads_ = 0;
  std::vector<Clock> clocks_;
  std::vector<Access> accesses_;  // [variable][thread][write]
};

}  // namespace heddle::scripted

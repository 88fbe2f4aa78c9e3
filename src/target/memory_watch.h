// Decides what to do about a target that takes too much memory. One that has done other runs may be full of what those left
// behind: its run gets a process of its own. A run that takes too much all by itself is interrupted, asked again while it
// does not listen, and killed before it has taken much more.
#pragma once
#include <cstdint>

namespace heddle {

class MemoryWatch {
 public:
  enum class Advice { Wait, Replace, Interrupt, Kill };

  // `limit` zero: any amount. `is_fresh`: the process has answered nothing before.
  MemoryWatch(std::uint64_t limit, bool is_fresh) : limit_(limit), is_fresh_(is_fresh) {}

  // Call now and then with the memory that the process takes.
  Advice look(std::uint64_t bytes) const {
    if (limit_ == 0 || bytes <= limit_) return Advice::Wait;
    if (!is_fresh_) return Advice::Replace;
    return bytes <= limit_ + limit_ / 4 ? Advice::Interrupt : Advice::Kill;
  }

 private:
  std::uint64_t limit_;
  bool is_fresh_;
};

}  // namespace heddle

// How messages get from one end to the other. Whole, in order, or not at all: an end that is lost says no more.
#pragma once
#include <optional>
#include <vector>

#include "dist/archive.h"

namespace heddle {

inline constexpr std::size_t kMostMessageBytes = 64u << 20;

// A worker's end.
class Link {
 public:
  virtual ~Link() = default;
  virtual bool send(const Bytes& message) = 0;              // false: nobody is there any more
  virtual std::optional<Bytes> receive(bool wait) = 0;      // nothing: none there; after waiting: nobody is there any more
};

// The balancer's end.
struct Arrival {
  enum class Kind { Message, Lost, Nothing } kind = Kind::Nothing;
  int worker = -1;
  Bytes message;
  bool broken = false;  // Lost: an assertion of ours failed there
};

class Crew {
 public:
  virtual ~Crew() = default;
  virtual std::vector<int> workers() const = 0;             // those that live now
  virtual void send(int worker, const Bytes& message) = 0;
  // Sleeps until something arrives. `urgent`: somebody has nothing to do; otherwise it may be noticed a little later, where that costs less.
  virtual Arrival receive(int wait_ms, bool urgent) = 0;
  virtual std::optional<int> replace(int worker) = 0;       // a new worker for a lost one, with a new number; none: no more
};

}  // namespace heddle

// Traces written by hand, for tests of the model: a call for each event.
#pragma once
#include <initializer_list>

#include "model/trace.h"

namespace heddle {

inline Address variable(int i) { return wire::make_address(wire::Region::Module, 0, 0x1000 + 8 * static_cast<std::uint64_t>(i)); }
inline Address object(int i) { return wire::make_address(wire::Region::Module, 0, 0x9000 + 64 * static_cast<std::uint64_t>(i)); }
inline Address thread_object(int i) { return wire::make_address(wire::Region::Thread, static_cast<std::uint32_t>(i), 0); }

inline ThreadSet set_of(std::initializer_list<int> members) {
  ThreadSet s;
  for (int m : members) s.add(m);
  return s;
}

class HandMade {
 public:
  // What is not said: alternative 0 of one, outcome 0, threads 0 to 3 enabled.
  struct Rest {
    std::uint8_t alternative = 0, outcome = 0;
    std::uint32_t size = 0;
    Address argument = 0;
    ThreadSet enabled = set_of({0, 1, 2, 3});
    AlternativeSet alternatives = set_of({0});
  };

  HandMade& add(int thread, Op op, Address at, Rest rest) {
    Event e;
    e.thread = static_cast<std::uint8_t>(thread);
    e.op = op;
    e.object = at;
    e.alternative = rest.alternative;
    e.outcome = rest.outcome;
    e.size = rest.size;
    e.argument = rest.argument;
    e.enabled = rest.enabled;
    e.alternatives = rest.alternatives;
    trace.events.push_back(e);
    return *this;
  }
  HandMade& add(int thread, Op op, Address at) { return add(thread, op, at, Rest{}); }
  HandMade& read(int thread, int x) { return add(thread, Op::AtomicLoad, variable(x), {.size = 4}); }
  HandMade& write(int thread, int x) { return add(thread, Op::AtomicStore, variable(x), {.size = 4}); }
  HandMade& lock(int thread, int m) { return add(thread, Op::MutexLock, object(m)); }
  HandMade& unlock(int thread, int m) { return add(thread, Op::MutexUnlock, object(m)); }

  HandMade& left_with(int thread, Op op, Address at, std::uint32_t size = 0, Address argument = 0) {
    Pending p;
    p.thread = static_cast<std::uint8_t>(thread);
    p.op = op;
    p.object = at;
    p.size = size;
    p.argument = argument;
    trace.pending.push_back(p);
    trace.end = wire::End::Deadlock;
    return *this;
  }

  Trace trace;
};

}  // namespace heddle

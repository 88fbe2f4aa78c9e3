// Getting away from the processor that the target is on.
//
// Two that hand over to each other many thousand times a second should be on two processors: then each sees at once what the
// other has written. But whoever sleeps may be woken beside the other, and where there are few processors, the kernel does
// not look for a free one then. From there on, both have to sleep for the other to get on. So the one who finds itself
// beside the other steps aside, if there is room.
#pragma once
#include <cstdint>

namespace heddle {

class SideStep {
 public:
  // To be called by one who has slept and is beside the other. Does something the first, second, fourth, ... time only: if
  // it has not helped, it is of no use.
  void step();

 private:
  std::uint64_t asked_ = 0;
};

}  // namespace heddle

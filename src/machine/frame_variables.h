// Which bytes of a function's stack frame belong to which variable, by the debug information.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "machine/functions.h"
#include "machine/stack_frame.h"

namespace heddle::machine {

class FrameVariables {
 public:
  explicit FrameVariables(const std::string& path);
  ~FrameVariables();

  // Relative to the stack pointer at entry. Empty: nothing is known.
  std::vector<Extent> of(const Function& function);

 private:
  struct Debug;
  std::unique_ptr<Debug> debug_;
};

}  // namespace heddle::machine

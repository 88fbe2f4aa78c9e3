// The data flow of one function: what its registers and stack slots hold, which hooks have been
// called for which addresses, and so which of its accesses nobody announces.
//
// Forward over all paths. Where paths meet, a place that holds different values gets a value of its
// own, and only what every path has announced stays announced. The result is a fixed point, so it
// holds on every path, around loops as well: a value that is made anew in a loop meets, where the
// loop is entered, a path on which it was not made yet.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "machine/audit.h"
#include "machine/functions.h"
#include "machine/hooks.h"
#include "machine/image.h"
#include "machine/instruction.h"
#include "machine/stack_frame.h"
#include "machine/values.h"

namespace heddle::machine {

// What callers may rely on.
struct Summary {
  bool known = false;
  bool returns = true;
  bool has_hooks = false;
  bool takes_stack_arguments = true;
  Arguments keeps = kAllArguments, answers = kAllArguments, answers_high = kAllArguments;
};

// What is found in one function.
struct Findings {
  std::vector<Site> sites;  // room and instrumented are filled in by whoever knows all functions
  std::vector<Gap> gaps;
  std::uint64_t accesses = 0, covered = 0, private_ones = 0;
  std::vector<std::uint64_t> targets;  // of computed jumps
  bool jumps_anywhere = false;
  Summary summary;
};

// Who is called at an address, and behind a place that the loader fills.
class Callees {
 public:
  virtual ~Callees() = default;
  virtual Callee at(std::uint64_t address) const = 0;
  virtual Callee imported(std::uint64_t place) const = 0;
};

Findings analyse(const Image& image, const Function& function, const Callees& callees,
                 std::vector<Extent> variables);

}  // namespace heddle::machine

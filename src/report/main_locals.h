// Names of main's own local variables: the objects that small C++ programs share by reference between their threads.
//
// main runs on the stack of thread 0 at a depth that the runtime's first frames fix: nothing of it depends on arguments,
// environment or schedule. So main's frame can be found from the call frame information of those frames, and its variables from
// DWARF. Where any of this is not as expected there is no name, never a guessed one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace heddle {

class MainLocals {
 public:
  // `program`: the module that main is in; may be null.
  explicit MainLocals(Dwfl_Module* program);

  // `offset`: within the stack of thread 0, as in wire::Address. Empty: not (certainly) a variable of main.
  std::string name(std::uint64_t offset) const;

 private:
  struct Local {
    std::uint64_t begin, size;
    std::string name;
    Dwarf_Die type;
  };

  std::optional<std::uint64_t> frame_of_main(Dwfl_Module* program) const;
  void collect(Dwarf_Die* scope, std::uint64_t frame_base);

  std::vector<Local> locals_;
};

}  // namespace heddle

// What the audit knows of functions by their names: the hooks of the runtime, and functions that do
// not keep the pointers that they are given.
#pragma once
#include <cstdint>
#include <string_view>

namespace heddle::machine {

// Argument registers by position: rdi, rsi, rdx, rcx, r8, r9, and the static chain r10.
using Arguments = std::uint8_t;
inline constexpr Arguments kAllArguments = 0x7f;

struct Callee {
  enum class Kind : std::uint8_t {
    Function,     // anything may happen meanwhile
    Access,       // a hook that announces an access at rdi
    Range,        // … of rsi bytes
    Note,         // a hook that announces something else, and is no scheduling point
    ThreadLocal,  // __tls_get_addr
  } kind = Kind::Function;
  bool write = false, vptr = false;
  // How many bytes at rdi the hook announces. Of a Function: a read that goes with an atomic load,
  // which clang leaves in place although nobody uses its result.
  std::uint8_t bytes = 0;
  bool returns = true;
  bool returns_twice = false;
  bool takes_stack_arguments = true;
  Arguments keeps = kAllArguments;  // these pointers may be found by others later
  Arguments answers = kAllArguments,
            answers_high = kAllArguments;  // rax and rdx may be made of these
};

Callee callee_by_name(std::string_view name);

// Any hook of the code generation: its caller is instrumented.
bool is_hook(std::string_view name);

}  // namespace heddle::machine

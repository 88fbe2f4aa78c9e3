#include "calls.h"

// runtime/hooks_announce.cpp
extern "C" void heddle_announce_access(const void* address, unsigned long size, int write,
                                       std::uint64_t pc);

namespace heddle::libstdcxx {
namespace {

static_assert(sizeof(Call) == 32, "HEDDLE_ENTRY counts on it");

// What the stub below saves: registers with arguments, and where the other arguments lie.
struct Arguments {
  std::uint64_t in_register[6];
  std::uint64_t rax, r10;
  std::uint64_t return_address;
  std::uint64_t on_stack[1];
};

HEDDLE_UNSEEN void* argument(const Arguments& a, std::uint32_t number) {
  return reinterpret_cast<void*>(number < 6 ? a.in_register[number] : a.on_stack[number - 6]);
}

// As of the call in the program.
HEDDLE_UNSEEN void reads(const void* bytes, std::size_t size, const Arguments& a) {
  heddle_announce_access(bytes, size, false, a.return_address - 1);
}
HEDDLE_UNSEEN void writes(void* bytes, std::size_t size, const Arguments& a) {
  heddle_announce_access(bytes, size, true, a.return_address - 1);
}

HEDDLE_UNSEEN void read_string(const void* object, std::uint32_t size, const Arguments& a) {
  struct String {
    const void* characters;
    std::size_t length;
  };
  reads(object, size, a);
  const auto& string = *static_cast<const String*>(object);
  reads(string.characters, string.length, a);
}

HEDDLE_UNSEEN std::size_t length(const char* text) {
  std::size_t n = 0;
  while (text[n]) ++n;
  return n;
}

HEDDLE_UNSEEN void announce(const Announced& access, const Arguments& a) {
  void* object = argument(a, access.argument);
  if (!object) return;
  switch (access.kind) {
    case Announced::kRead:
      return reads(object, access.size, a);
    case Announced::kWrite:
      return writes(object, access.size, a);
    case Announced::kString:
      return read_string(object, access.size, a);
    case Announced::kRange: {
      const auto* end = static_cast<const char*>(argument(a, access.size));
      const auto* begin = static_cast<const char*>(object);
      if (begin < end) reads(begin, static_cast<std::size_t>(end - begin), a);
      return;
    }
    case Announced::kText:
      return reads(object, length(static_cast<const char*>(object)) + 1, a);
    case Announced::kIn:
      return reads(object, reinterpret_cast<std::size_t>(argument(a, access.size)), a);
    case Announced::kOut:
      return writes(object, reinterpret_cast<std::size_t>(argument(a, access.size)), a);
  }
}

}  // namespace

HEDDLE_UNSEEN void find_real(Call* first, Call* last) {
  for (Call* call = first; call != last; ++call) call->real = find_in_shared_library(call->symbol);
}

extern "C" __attribute__((used, visibility("hidden"))) HEDDLE_UNSEEN void* heddle_announce_call(
    Call* call, const Arguments* arguments) {
  for (std::uint64_t i = 0; i < call->count; ++i) announce(call->accesses[i], *arguments);
  if (!call->real) find_real(call, call + 1);  // a constructor that comes before ours
  return call->real;
}

}  // namespace heddle::libstdcxx

// r11 has the row. Saves what a call may pass arguments in.
__asm__(R"(
.text
.globl heddle_announce_and_call
.hidden heddle_announce_and_call
.type heddle_announce_and_call, @function
heddle_announce_and_call:
  pushq %r10
  pushq %rax
  pushq %r9
  pushq %r8
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  movq %rsp, %rsi
  subq $136, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq %r11, %rdi
  call heddle_announce_call
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  addq $136, %rsp
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %r8
  popq %r9
  popq %rax
  popq %r10
  jmp *%r11
.size heddle_announce_and_call, . - heddle_announce_and_call
)");

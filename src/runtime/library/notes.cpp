// Calls of functions of which nobody knows what they do to the program's memory: a note says so in
// the verdict, with the place of the call. The functions' entries are made by generate.py; they
// come here with all registers as the caller left them.
#include "runtime/library/library.h"
#include "runtime/uncovered.h"

using namespace heddle::rt;

namespace {

struct Unmodelled {
  const char* name;
  const char* why;
  void* next;
};

}  // namespace

extern "C" {
extern Unmodelled heddle_unmodelled_calls[];

// The real function, which is called next.
__attribute__((visibility("hidden"), used)) void* heddle_note_unmodelled(uint64_t index,
                                                                         uint64_t return_address) {
  Unmodelled& call = heddle_unmodelled_calls[index];
  const uint64_t pc = return_address - 1;
  if (library::counts(pc))
    note_uncovered(heddle::wire::UncoveredKind::Call, pc, call.name, call.why);
  return library::next_function(&call.next, call.name);
}
}

// Saves what a call may pass arguments in. r11 has the function's number, and then its address.
__asm__(R"(
.text
.globl heddle_note_call
.hidden heddle_note_call
.type heddle_note_call, @function
heddle_note_call:
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  pushq %r10
  subq $136, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movl %r11d, %edi
  movq 200(%rsp), %rsi
  call heddle_note_unmodelled
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
  popq %r10
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  jmp *%r11
.size heddle_note_call, . - heddle_note_call
)");

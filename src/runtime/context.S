// The two things C++ cannot say: changing stacks, and system calls from a known place.
#include "wire/version.h"

        .text
// void heddle_switch(void** save_sp, void* load_sp): save what a callee must keep, go on where load_sp was saved.
        .globl heddle_switch
        .hidden heddle_switch
        .type heddle_switch, @function
heddle_switch:
        .cfi_startproc
        pushq %rbp
        pushq %rbx
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        movq %rsp, (%rdi)
        movq %rsi, %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbx
        popq %rbp
        ret
        .cfi_endproc
        .size heddle_switch, . - heddle_switch

// First code of a fiber: r12 = function, r13 = argument. The return address 0 ends every unwinding here.
        .globl heddle_fiber_entry
        .hidden heddle_fiber_entry
        .type heddle_fiber_entry, @function
heddle_fiber_entry:
        .cfi_startproc
        .cfi_undefined rip
        xorl %ebp, %ebp
        movq %r13, %rdi
        callq *%r12
        ud2
        .cfi_endproc
        .size heddle_fiber_entry, . - heddle_fiber_entry

// All system calls of the runtime are made between these two labels; the seccomp filter lets just them through.
        .section .text.heddle_sys, "ax", @progbits
        .globl heddle_sys_begin
        .hidden heddle_sys_begin
heddle_sys_begin:

// long heddle_syscall(long nr, a, b, c, d, e, f)
        .globl heddle_syscall
        .hidden heddle_syscall
        .type heddle_syscall, @function
heddle_syscall:
        movq %rdi, %rax
        movq %rsi, %rdi
        movq %rdx, %rsi
        movq %rcx, %rdx
        movq %r8, %r10
        movq %r9, %r8
        movq 8(%rsp), %r9
        syscall
        ret
        .size heddle_syscall, . - heddle_syscall

// long heddle_clone(unsigned long flags, void* stack, uint64_t tls, void (*entry)(void*), void* argument): a kernel thread that begins with
// entry(argument), which does not return.
        .globl heddle_clone
        .hidden heddle_clone
        .type heddle_clone, @function
heddle_clone:
        .cfi_startproc
        subq $16, %rsi
        movq %r8, (%rsi)
        movq %rcx, 8(%rsi)
        movq %rdx, %r8
        xorl %edx, %edx
        xorl %r10d, %r10d
        movl $56, %eax
        syscall
        testq %rax, %rax
        jz 1f
        ret
1:      .cfi_undefined rip
        xorl %ebp, %ebp
        popq %rdi
        popq %rax
        callq *%rax
        ud2
        .cfi_endproc
        .size heddle_clone, . - heddle_clone

        .globl heddle_sigreturn
        .hidden heddle_sigreturn
        .type heddle_sigreturn, @function
heddle_sigreturn:
        movl $15, %eax
        syscall
        ud2
        .size heddle_sigreturn, . - heddle_sigreturn

        .globl heddle_sys_end
        .hidden heddle_sys_end
heddle_sys_end:

// Which wire format this program speaks: read by the explorer before it starts the program.
        .section .note.heddle, "a", @note
        .balign 4
        .long 7
        .long 4
        .long 0x4844
        .asciz "Heddle"
        .balign 4
        .long HEDDLE_WIRE_VERSION
        .section .note.GNU-stack, "", @progbits

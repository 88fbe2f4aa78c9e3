// Where trampolines (src/machine/trampoline.cpp) call: announces an access and changes nothing that the program can see.
//
// On entry: rdi = the address, rsi = the wire::PatchSite, and on the stack: return address, the program's rsi and rdi, the red
// zone. To unwinders this is a function that was called by the instruction whose access is announced: the first word of
// the PatchSite is where the return address lies. Registers that a callee keeps are not touched, so that they are the program's.
        .text
        .globl heddle_patched
        .hidden heddle_patched
        .type heddle_patched, @function

#define XSAVE_BYTES 2816
#define XSAVE_LOW 0xe7  // x87, SSE, AVX, the opmask and the parts of AVX-512

heddle_patched:
        .cfi_startproc
        .cfi_def_cfa rsp, 152
        .cfi_escape 0x10, 0x10, 2, 0x74, 0             // rip lies where rsi points to
        pushq %rax
        pushq %rcx
        pushq %rdx
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        .cfi_def_cfa_offset 208
        lahf
        seto %al
        pushq %rax
        pushq %rsi
        pushq %rdi
        .cfi_def_cfa_offset 232
        .cfi_escape 0x10, 0x10, 5, 0x0a, 224, 0, 0x1c, 0x06  // … where the word at CFA - 224 points to
        movq %rsp, %rax
        andq $-16, %rsp
        pushq %rax
        pushq %rax
        .cfi_escape 0x0f, 6, 0x77, 0, 0x06, 0x23, 0xe8, 0x01  // CFA: the word at rsp, plus 232
        call heddle_patched_next
        testl %eax, %eax
        jne 1f
        movq (%rsp), %rsp
        .cfi_def_cfa rsp, 232
9:      popq %rdi
        popq %rsi
        .cfi_def_cfa_offset 216
        .cfi_escape 0x10, 0x10, 2, 0x74, 0
        popq %rax
        addb $0x7f, %al
        sahf
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdx
        popq %rcx
        popq %rax
        .cfi_def_cfa_offset 152
        ret

1:      .cfi_escape 0x0f, 6, 0x77, 0, 0x06, 0x23, 0xe8, 0x01
        .cfi_escape 0x10, 0x10, 5, 0x0a, 224, 0, 0x1c, 0x06
        movq (%rsp), %rdi                              // the frame, as heddle_patched_tell wants it
        pushfq
        popq %rsi
        cld
        cmpl $2, %eax
        je 2f

        // The runtime is compiled without AVX: of the vector registers, it changes xmm0 … xmm15 alone.
        leaq -272(%rsp), %rsp
        .cfi_escape 0x0f, 7, 0x77, 0x90, 0x02, 0x06, 0x23, 0xe8, 0x01  // CFA: the word at rsp + 272, plus 232
        movups %xmm0, (%rsp)
        movups %xmm1, 16(%rsp)
        movups %xmm2, 32(%rsp)
        movups %xmm3, 48(%rsp)
        movups %xmm4, 64(%rsp)
        movups %xmm5, 80(%rsp)
        movups %xmm6, 96(%rsp)
        movups %xmm7, 112(%rsp)
        movups %xmm8, 128(%rsp)
        movups %xmm9, 144(%rsp)
        movups %xmm10, 160(%rsp)
        movups %xmm11, 176(%rsp)
        movups %xmm12, 192(%rsp)
        movups %xmm13, 208(%rsp)
        movups %xmm14, 224(%rsp)
        movups %xmm15, 240(%rsp)
        movq %rsi, 256(%rsp)
        xorl %edx, %edx
        call heddle_patched_tell
        movups (%rsp), %xmm0
        movups 16(%rsp), %xmm1
        movups 32(%rsp), %xmm2
        movups 48(%rsp), %xmm3
        movups 64(%rsp), %xmm4
        movups 80(%rsp), %xmm5
        movups 96(%rsp), %xmm6
        movups 112(%rsp), %xmm7
        movups 128(%rsp), %xmm8
        movups 144(%rsp), %xmm9
        movups 160(%rsp), %xmm10
        movups 176(%rsp), %xmm11
        movups 192(%rsp), %xmm12
        movups 208(%rsp), %xmm13
        movups 224(%rsp), %xmm14
        movups 240(%rsp), %xmm15
        pushq 256(%rsp)
        popfq
        movq 272(%rsp), %rsp
        .cfi_def_cfa rsp, 232
        jmp 9b

        // Other threads may go on meanwhile. The area is cleared: what xsave leaves out must not be garbage, since frames are
        // part of the thread's state.
2:      .cfi_escape 0x0f, 6, 0x77, 0, 0x06, 0x23, 0xe8, 0x01
        .cfi_escape 0x10, 0x10, 5, 0x0a, 224, 0, 0x1c, 0x06
        movq (%rsp), %rdx
        andq $-64, %rsp
        leaq -(XSAVE_BYTES + 64)(%rsp), %rsp
        movq %rdx, XSAVE_BYTES(%rsp)
        movq %rsi, XSAVE_BYTES + 8(%rsp)
        .cfi_escape 0x0f, 7, 0x77, 0x80, 0x16, 0x06, 0x23, 0xe8, 0x01  // CFA: the word at rsp + 2816, plus 232
        movq %rdi, %r8
        movq %rsp, %rdi
        movl $(XSAVE_BYTES / 8), %ecx
        xorl %eax, %eax
        rep stosq
        movl $XSAVE_LOW, %eax
        xorl %edx, %edx
        xsave (%rsp)
        movq %r8, %rdi
        movq %rsp, %rdx
        call heddle_patched_tell
        movl $XSAVE_LOW, %eax
        xorl %edx, %edx
        xrstor (%rsp)
        pushq XSAVE_BYTES + 8(%rsp)
        popfq
        movq XSAVE_BYTES(%rsp), %rsp
        .cfi_def_cfa rsp, 232
        jmp 9b
        .cfi_endproc
        .size heddle_patched, . - heddle_patched
        .section .note.GNU-stack, "", @progbits

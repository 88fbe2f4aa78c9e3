// First and last frames of every fiber, in C because user code may be unwound through them: pthread_exit unwinds to the jump
// buffer registered here, and pthread_once must be left in order when its initialiser throws.
//
// The buffer is registered once, at the stop at main: registering writes to the thread's control block, and a run that leaves
// that alone has a page less to be put back.
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>

void* heddle_call_start(void* thread);                    // runs the start routine
void heddle_leave_thread(void* thread, void* result);     // destructors of thread-local storage, then the end

extern void __pthread_register_cancel(__pthread_unwind_buf_t*) __attribute__((regparm(1)));
void* heddle_exit_buffer(void* thread);
void* heddle_exit_value(void* thread);

// Of the thread that calls. `buffer` has room for it, and stays.
void heddle_register_exit_buffer(void* buffer) { __pthread_register_cancel(buffer); }

void heddle_thread_main(void* thread) {
  __pthread_unwind_buf_t* buffer = heddle_exit_buffer(thread);
  void* result;
  if (__sigsetjmp((struct __jmp_buf_tag*)(void*)buffer->__cancel_jmp_buf, 0) == 0) result = heddle_call_start(thread);
  else result = heddle_exit_value(thread);
  heddle_leave_thread(thread, result);
}

int heddle_once_begin(uint64_t address, void (*initialiser)(void), uint64_t pc);
void heddle_once_end(uint64_t address, int done, uint64_t pc);

struct once_call {
  uint64_t address, pc;
  int done;
};
static void leave_once(struct once_call* call) { heddle_once_end(call->address, call->done, call->pc); }

void heddle_once(uint64_t address, void (*initialiser)(void), uint64_t pc) {
  if (!heddle_once_begin(address, initialiser, pc)) return;
  struct once_call call __attribute__((cleanup(leave_once))) = {address, pc, 0};
  initialiser();
  call.done = 1;
}

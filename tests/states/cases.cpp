// Small programs, one a case, each about one thing that must or must not be part of a state. `states_test` names the case.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

static std::atomic<int> step;  // operations for the sake of being one
static int plain, hidden[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void both(void* (*a)(void*), void* (*b)(void*)) {
  pthread_t t[2];
  pthread_create(&t[0], nullptr, a, nullptr);
  pthread_create(&t[1], nullptr, b, nullptr);
  for (pthread_t i : t) pthread_join(i, nullptr);
}

// --- what decides the future must count. Each fails with one of two choices, several operations after the choice.

// A value that is nowhere but in a register which the callee keeps.
static void in_register() {
  int choice = heddle_choose(2);
  for (int i = 0; i < 3; i++) step.store(7);
  assert(choice == 0);
}

// A value that is nowhere but in the argument of the pending operation.
static void in_operand() {
  int choice = heddle_choose(2);
  step.store(choice);
  assert(step.load() == 0);
}

static void in_exchange() {
  step.store(5);
  int choice = heddle_choose(2), expected = 5;
  step.compare_exchange_strong(expected, choice);
  assert(step.load() == 0);
}

static void in_wide_operand() {
  static unsigned __int128 wide;
  __atomic_store_n(&wide, (unsigned __int128)heddle_choose(2) << 64, __ATOMIC_SEQ_CST);
  step.store(1);
  assert(__atomic_load_n(&wide, __ATOMIC_SEQ_CST) == 0);
}

__attribute__((no_sanitize("thread"), noinline)) static void write_hidden(int value) { *(volatile int*)&hidden[1] = value; }

// Written by code that is not instrumented.
static void written_in_secret() {
  write_hidden(heddle_choose(2));
  for (int i = 0; i < 3; i++) step.store(7);
  assert(hidden[1] == 0);
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

// Written by the C library.
static void written_by_library() {
  int items[3] = {2, 1, 0};
  int* numbers = (int*)malloc(sizeof items);
  memcpy(numbers, items, sizeof items);
  if (heddle_choose(2)) qsort(numbers, 3, sizeof(int), compare);
  for (int i = 0; i < 3; i++) step.store(7);
  assert(numbers[0] == 2);
}

static thread_local int local;
static void in_thread_local() {
  local = heddle_choose(2);
  for (int i = 0; i < 3; i++) step.store(7);
  assert(local == 0);
}

static void in_key() {
  pthread_key_t key;
  pthread_key_create(&key, nullptr);
  pthread_setspecific(key, heddle_choose(2) ? &key : nullptr);
  for (int i = 0; i < 3; i++) step.store(7);
  assert(pthread_getspecific(key) == nullptr);
}

static void where_the_next_block_is() {
  char* before = (char*)malloc(1);
  void* volatile extra = heddle_choose(2) ? malloc(100) : nullptr;
  free(extra);
  for (int i = 0; i < 3; i++) step.store(7);
  char* next = (char*)malloc(1);
  assert(next - before < 100);
}

static void* caller_frame(void* p) {
  *(int*)p = heddle_choose(2);
  return nullptr;
}
// In the frame of another thread.
static void in_other_stack() {
  int choice = 0;
  pthread_t t;
  pthread_create(&t, nullptr, caller_frame, &choice);
  pthread_join(t, nullptr);
  for (int i = 0; i < 3; i++) step.store(7);
  assert(choice == 0);
}

// --- what does not must not. Two threads, one final state.

static void* add_one(void*) {
  pthread_mutex_lock(&lock);
  plain += 1;
  pthread_mutex_unlock(&lock);
  return nullptr;
}
static void in_order() { both(add_one, add_one); }

static void* leave_in_block(void* unused) {
  for (int i = 0; i < 2; i++) {
    int* block = (int*)malloc(sizeof(int));
    pthread_mutex_lock(&lock);
    *block = ++plain;
    pthread_mutex_unlock(&lock);
    free(block);
  }
  return unused;
}
static void freed_blocks() { both(leave_in_block, leave_in_block); }

static void* say_a(void* unused) {
  step.fetch_add(1);
  printf("first\n");
  return unused;
}
static void* say_b(void* unused) {
  step.fetch_add(1);
  printf("second, and longer\n");
  return unused;
}
static void printed() { both(say_a, say_b); }

static void* sleep_a(void* unused) {
  usleep(100);
  step.fetch_add(1);
  return unused;
}
static void slept() { both(sleep_a, sleep_a); }

// --- others

static void looks_at_clock() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  step.store(1);
}

static void* turn_on(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    plain = 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
static void* turn_off(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    plain = 0;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
static void goes_round() { both(turn_on, turn_off); }

// Many pages that stay as they are, and some that do not.
static char table[200][4096];
static void* scatter(void* which) {
  for (int i = 0; i < 6; i++) {
    pthread_mutex_lock(&lock);
    table[i * 31][which ? 1 : 0]++;
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}
static void* scatter_other(void*) { return scatter(table); }
static void many_pages() {
  for (auto& page : table) page[100] = 1;
  both(scatter, scatter_other);
}

int main(int, char** argv) {
#define CASE(name) if (strcmp(argv[1], #name) == 0) name()
  CASE(in_register); CASE(in_operand); CASE(in_exchange); CASE(in_wide_operand); CASE(written_in_secret); CASE(written_by_library);
  CASE(in_thread_local); CASE(in_key); CASE(where_the_next_block_is); CASE(in_other_stack);
  CASE(in_order); CASE(freed_blocks); CASE(printed); CASE(slept);
  CASE(looks_at_clock); CASE(goes_round); CASE(many_pages);
  return 0;
}

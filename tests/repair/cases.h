// Two threads, each making one of the accesses of a case; with a lock (`ok`) or without (`race`). The case and the way are
// arguments of the program, so that all cases of a language are compiled once for each set of options.
//
// The C and the C++ file are lists of
//   CASE(name, declarations, what thread 1 does, what thread 2 does)
// in which the accesses of interest are ones that no hook of the compiler announces at some level, by one of the compilers.
#pragma once
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked;

#define BODY(...) do { if (locked) pthread_mutex_lock(&lock); __VA_ARGS__; if (locked) pthread_mutex_unlock(&lock); } while (0)
#define CASE_COMMA ,
// Without noipa, gcc hands over only what the function that is called uses, and nothing races.
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

struct test_case {
  const char* name;
  void* (*first)(void*);
  void* (*second)(void*);
};

#define CASE(name, declarations, one, other)                                              \
  declarations                                                                            \
  NOINLINE static void name##_first_body(void) { one; }                                   \
  NOINLINE static void name##_second_body(void) { other; }                                \
  static void* name##_first(void* x) { BODY(name##_first_body()); return x; }             \
  static void* name##_second(void* x) { BODY(name##_second_body()); return x; }

#define ENTRY(name) {#name, name##_first, name##_second},

static int run_case(const struct test_case* cases, int count, int argc, char** argv) {
  if (argc < 2) {
    for (int i = 0; i < count; i++) puts(cases[i].name);
    return 0;
  }
  locked = argc > 2 && strcmp(argv[2], "ok") == 0;
  for (int i = 0; i < count; i++) {
    if (strcmp(cases[i].name, argv[1]) != 0) continue;
    pthread_t a, b;
    pthread_create(&a, 0, cases[i].first, 0);
    pthread_create(&b, 0, cases[i].second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
  }
  return 99;
}

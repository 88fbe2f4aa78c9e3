// A string is copied while another thread writes the other name into it: the copy is half of the one and half of the other.
// EXPECT: bug assertion|data-race
// OPTIONS: --races=explore --stop-at all
// MESSAGE: assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char name[32] __attribute__((aligned(8))) = "aaaaaaaabbbbbbbb";
static const char other[32] __attribute__((aligned(8))) = "ccccccccdddddddd";
static const char* volatile source = other;  // else the compiler copies constants by itself
static char copy[32] __attribute__((aligned(8)));

static void* write_name(void* unused) {
  strcpy(name, source);
  return unused;
}

static void* read_name(void* unused) {
  strcpy(copy, name);
  assert(strcmp(copy, "aaaaaaaadddddddd"));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_name, 0);
  pthread_create(&b, 0, read_name, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

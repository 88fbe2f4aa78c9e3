// races NAME 0|1: two threads, one of which calls a function of the C library (cases.h); 1: both under a mutex.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char text[64] = "12 heddle", other[64] = "12 shuttle", path[PATH_MAX];
static wchar_t wide[32] = L"12 heddle";
static char *pointer, *begin = text;
static char* const names[] = {"12 heddle", 0};
static volatile size_t n = 9;
static size_t size;
static unsigned seed;
static int number, position, ends[2], fd;
static long length;
static double real = 2.5, whole, part;
static mbstate_t state;
static FILE* file;
static struct iovec vector = {text, 4};
static struct stat facts;
static struct timespec instant;
static struct timeval moment;
static time_t now;
static struct tm day, spare_day;
static int numbers[4] = {4, 2, 3, 1};
static void* tree;
static struct link { struct link *next, *before; } links[2];
static regex_t pattern, compiled;
static regmatch_t matches[1];
static struct utsname machine;
static struct rlimit limit;
static pthread_attr_t attributes;
static pthread_mutexattr_t kind;
static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static sigset_t set;
static struct sigaction action;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int by_text(const void* a, const void* b) { return strcmp(a, b); }
static void* idle(void* unused) { return unused; }

void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
char* __strcpy_chk(char*, const char*, size_t);
char* __strcat_chk(char*, const char*, size_t);

#define use(x) do { __typeof__(x) value = (x); __asm__ volatile("" : : "r"(&value) : "memory"); } while (0)
#define poke(p) (*(volatile char*)(p) = 'x')
#define peek(p) use(*(volatile char*)(p))

#define RACE(name, call, touch)               \
  static void call_##name(void) { call; }     \
  static void touch_##name(void) { touch; }
#define CALM RACE
#include "cases.h"
#undef RACE

static const struct { const char* name; void (*call)(void); void (*touch)(void); } cases[] = {
#define RACE(name, call, touch) {#name, call_##name, touch_##name},
#include "cases.h"
};

static unsigned chosen;
static int locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void run(void (*function)(void)) {
  if (locked) pthread_mutex_lock(&lock);
  function();
  if (locked) pthread_mutex_unlock(&lock);
}
static void* caller(void* unused) { return run(cases[chosen].call), unused; }
static void* toucher(void* unused) { return run(cases[chosen].touch), unused; }

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  while (chosen < sizeof cases / sizeof *cases && strcmp(cases[chosen].name, argv[1])) ++chosen;
  if (chosen == sizeof cases / sizeof *cases) return 2;
  locked = atoi(argv[2]);
  file = fopen("data", "r");
  fd = open("data", O_RDONLY);
  pthread_attr_init(&attributes);
  pthread_mutexattr_init(&kind);
  sem_init(&semaphore, 0, 1);
  sigemptyset(&set);
  regcomp(&compiled, "12", 0);
  pthread_t a, b;
  pthread_create(&a, 0, caller, 0);
  pthread_create(&b, 0, toucher, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

// After aget (003, sec. 4): a downloader that fetches a file in segments, THREADS of them at a time. Every thread copies its segment package by
// package to its place in the file, and adds to the count of bytes written, which the progress display shows, under a lock. The server is an array, and a
// segment has PACKAGES packages, so that a run takes no longer than its steps.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 5
#endif
#ifndef PACKAGES
#define PACKAGES 2
#endif
enum { kPackage = 512, kSegment = PACKAGES * kPackage, kLength = THREADS * kSegment };

static char server[kLength], file[kLength];
static pthread_mutex_t written_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned written;  // by all threads

struct segment {
  unsigned offset, end;
};

static unsigned receive(unsigned offset, char* to, unsigned most) {
  memcpy(to, server + offset, most);
  return most;
}

static void* download(void* argument) {
  struct segment* segment = argument;
  char buffer[kPackage];
  while (segment->offset < segment->end) {
    unsigned got = receive(segment->offset, buffer, sizeof buffer);
    memcpy(file + segment->offset, buffer, got);
    segment->offset += got;
    pthread_mutex_lock(&written_lock);
    written += got;
    pthread_mutex_unlock(&written_lock);
  }
  return 0;
}

int main(void) {
  for (unsigned i = 0; i < kLength; i++) server[i] = (char)(i * 7);
  pthread_t threads[THREADS];
  struct segment segments[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    segments[i] = (struct segment){i * kSegment, (i + 1) * kSegment};
    pthread_create(&threads[i], 0, download, &segments[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(written == kLength && memcmp(file, server, kLength) == 0);
  return 0;
}

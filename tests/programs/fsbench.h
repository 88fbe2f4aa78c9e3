// The file system benchmark of Flanagan and Godefroid (POPL 2005, fig. 7): N threads allocate a block to their inode. Up to 13
// threads never meet; each one more doubles the traces.
#include <pthread.h>

enum { kBlocks = 26, kInodes = 32 };
static pthread_mutex_t locki[kInodes], lockb[kBlocks];
static int inode[kInodes], busy[kBlocks];

static void allocate(int i) {
  for (int b = (i * 2) % kBlocks;; b = (b + 1) % kBlocks) {
    pthread_mutex_lock(&lockb[b]);
    int taken = busy[b];
    if (!taken) {
      busy[b] = 1;
      inode[i] = b + 1;
    }
    pthread_mutex_unlock(&lockb[b]);
    if (!taken) return;
  }
}

static void* work(void* argument) {
  int i = (int)(long)argument % kInodes;
  pthread_mutex_lock(&locki[i]);
  if (inode[i] == 0) allocate(i);
  pthread_mutex_unlock(&locki[i]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < kInodes; i++) pthread_mutex_init(&locki[i], 0);
  for (int b = 0; b < kBlocks; b++) pthread_mutex_init(&lockb[b], 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}

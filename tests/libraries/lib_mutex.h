// A mutex that a library has and returns, and lock functions of the library.
#include <pthread.h>
pthread_mutex_t* lib_mutex(void);
void lib_lock(void);
void lib_unlock(void);
int lib_try(void);
#ifdef LIBRARY
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t* lib_mutex(void) { return &mutex; }
void lib_lock(void) { pthread_mutex_lock(&mutex); }
void lib_unlock(void) { pthread_mutex_unlock(&mutex); }
int lib_try(void) { return pthread_mutex_trylock(&mutex) == 0; }
#endif

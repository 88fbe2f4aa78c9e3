// Orders that only an annotation tells of: the flag is relaxed. `before` and `after` are what is annotated around it.
#pragma once
#include <assert.h>

#include "together.h"

void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateRWLockAcquired(const char* file, int line, const volatile void* lock, long alone);
void AnnotateRWLockReleased(const char* file, int line, const volatile void* lock, long alone);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_mutex_pre_lock(void* lock, unsigned flags);
void __tsan_mutex_post_lock(void* lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void* lock, unsigned flags);
void __tsan_mutex_post_unlock(void* lock, unsigned flags);

static int flag;
static int data;

static void raise_flag(void) { __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); }
static int flag_is_up(void) { return __atomic_load_n(&flag, __ATOMIC_RELAXED); }

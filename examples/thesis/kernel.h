// Locks and condition variables of the kernels of FreeBSD, NetBSD and Solaris, for programs 11 to 14. Define FREEBSD, NETBSD or
// SOLARIS first. Verifiers know them; runtime.c makes them of POSIX threads so that the programs run. A kernel's condition
// variable does not wake up by itself: a wait ends only by a signal or broadcast that came during it.
#ifndef KERNEL_H
#define KERNEL_H

#include "verifier.h"
#include <assert.h>
#include <pthread.h>

// Who holds the lock: an address that no other thread has, or null.
struct mtx {
  pthread_mutex_t mutex;
  char *_Atomic owner;
};

// A waiting thread sleeps until `wakes` differs from what it found.
struct cv {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  unsigned long wakes;
};

void cv_wait(struct cv *condition, struct mtx *mutex);
void cv_signal(struct cv *condition);
void cv_broadcast(struct cv *condition);

#ifdef FREEBSD

#define MTX_DEF 0
#define MA_OWNED 1
#define MA_NOTOWNED 2

void mtx_init(struct mtx *mutex, const char *name, const char *type, int options);
void mtx_lock(struct mtx *mutex);
int mtx_trylock(struct mtx *mutex);
void mtx_unlock(struct mtx *mutex);
int mtx_owned(struct mtx *mutex);
void cv_init(struct cv *condition, const char *name);

// As in the kernel: it must be held, or must not be held, by this thread.
#define mtx_assert(mutex, what) assert(mtx_owned(mutex) == ((what) == MA_OWNED))

#else

typedef struct mtx kmutex_t;
typedef struct cv kcondvar_t;

// The parameters after the first differ between the two systems and mean nothing here.
void mutex_init(kmutex_t *mutex, ...);
void mutex_enter(kmutex_t *mutex);
int mutex_tryenter(kmutex_t *mutex);
void mutex_exit(kmutex_t *mutex);
int mutex_owned(kmutex_t *mutex);

#ifdef NETBSD
#define MUTEX_DEFAULT 0
#define IPL_NONE 0
#define KASSERT(condition) assert(condition)
void cv_init(kcondvar_t *condition, const char *name);
#endif

#ifdef SOLARIS
#define MUTEX_DEFAULT 4
#define CV_DEFAULT 0
#define ASSERT(condition) assert(condition)
#define MUTEX_HELD(mutex) mutex_owned(mutex)
#define cv_init(condition, name, type, argument) (cv_init)(condition, name)
void(cv_init)(kcondvar_t *condition, const char *name);
#endif

#endif
#endif

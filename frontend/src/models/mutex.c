//! requires: pthread_mutex_t
//! unless-defined: pthread_mutex_lock pthread_mutex_unlock
//! initialiser: pthread_mutex_t lp64 kind=4
//! initialiser: pthread_mutex_t ilp32 kind=3
// POSIX mutexes. Kinds as in glibc and musl: 0 normal and default, 1 recursive, 2 error-checking, 3 adaptive (like 0).
// Priorities and sharing between processes have no effect on what threads can do. Robust mutexes are not modelled.

typedef struct __monabs_mutex pthread_mutex_t;

typedef struct __monabs_mutex_attributes {
  int kind : 8;
  int shared : 8;
  int protocol : 8;
} pthread_mutexattr_t;

// Exact but that it never fails.
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  __monabs_mutex_init(mutex, attributes == 0 ? 0 : attributes->kind);
  return 0;
}

// As glibc: 16 (EBUSY) if it is locked, which POSIX leaves undefined. Use after it is not checked.
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return mutex->lock.locked ? 16 : 0;
}

// Exact.
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return __monabs_mutex_lock(mutex);
}

// Exact.
int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return __monabs_mutex_trylock(mutex);
}

// Exact up to the clock: it may time out whenever the mutex was taken on entry.
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
  return __monabs_mutex_timedlock(mutex);
}

// Exact up to the clock, like pthread_mutex_timedlock.
int pthread_mutex_clocklock(pthread_mutex_t *mutex, int clock, const struct timespec *time) {
  return __monabs_mutex_timedlock(mutex);
}

// Exact.
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  return __monabs_mutex_unlock(mutex);
}

// Exact: robust mutexes are not modelled, so there is never one to be made consistent; 22 is EINVAL.
int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  return 22;
}

// Exact.
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->kind = 0;
  attributes->shared = 0;
  attributes->protocol = 0;
  return 0;
}

// Exact: no effect.
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  return 0;
}

// Exact; 22 is EINVAL.
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  if (kind < 0 || kind > 3) {
    return 22;
  }
  attributes->kind = kind;
  return 0;
}

// Exact.
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) {
  *kind = attributes->kind;
  return 0;
}

// Exact: there is one process; 22 is EINVAL.
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) {
    return 22;
  }
  attributes->shared = shared;
  return 0;
}

// Exact.
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  *shared = attributes->shared;
  return 0;
}

// Exact: every schedule is possible anyway.
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  attributes->protocol = protocol;
  return 0;
}

// Exact.
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  *protocol = attributes->protocol;
  return 0;
}

// Exact for 0 (PTHREAD_MUTEX_STALLED); no answer for robust mutexes.
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  if (robust != 0) {
    __monabs_limit("robust mutexes are not modelled");
  }
  return 0;
}

// Exact: see pthread_mutexattr_setrobust.
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  *robust = 0;
  return 0;
}

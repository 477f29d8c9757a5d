//! requires: pthread_mutex_t
//! unless-defined: pthread_mutex_lock pthread_mutex_unlock
//! initialiser: pthread_mutex_t lp64 kind=4
//! initialiser: pthread_mutex_t ilp32 kind=3
// POSIX mutexes. Kinds as in glibc and musl: 0 normal and default, 1 recursive, 2 error-checking, 3 adaptive (like 0).
// Priorities and sharing between processes have no effect on what threads can do. Robust mutexes are not modelled.

typedef struct __monabs_mutex pthread_mutex_t;

// Exact but that it never fails.
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  __monabs_mutex_init(mutex, __monabs_mutex_kind(attributes));
  return 0;
}

// As glibc: 16 (EBUSY) if it is locked, which POSIX leaves undefined: a violation.
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  _Bool locked = mutex->lock.locked;
  __monabs_check("mutex", !locked, "a mutex is destroyed that is locked");
  if (locked) {
    return 16;
  }
  __monabs_destroy(&mutex->lock.destroyed);
  return 0;
}

// Exact.
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_mutex_lock(mutex);
}

// Exact.
int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_mutex_trylock(mutex);
}

// Exact up to the clock: it may time out whenever the mutex was taken on entry; 22 (EINVAL) then, if the time is none.
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_mutex_timedlock(mutex, __monabs_has_nanoseconds(time));
}

// Exact up to the clock, like pthread_mutex_timedlock.
int pthread_mutex_clocklock(pthread_mutex_t *mutex, int clock, const struct timespec *time) {
  return pthread_mutex_timedlock(mutex, time);
}

// Exact.
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_mutex_unlock(mutex);
}

// Exact: robust mutexes are not modelled, so there is never one to be made consistent; 22 is EINVAL.
int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  return 22;
}

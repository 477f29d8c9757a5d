//! requires: thrd_create mtx_plain cnd_init tss_create once_flag
//! unless-defined: thrd_create mtx_lock mtx_unlock
// C11 threads. Results as in glibc and musl: 0 success, 1 busy, 2 error, 3 no memory, 4 timed out. Types of mutexes: bit 0 is
// recursive, bit 1 is timed. The kernel's mtx_lock of freebsd.c is another function: that file yields to this one.

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);

// Exact but that it never fails; see pthread_create.
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  unsigned long handle = __monabs_new_handle(0);
  __monabs_spawn(function, argument, handle);
  __monabs_store_number(thread, handle);
  return 0;
}

// Exact, but inside of call_once: then there is no answer.
void thrd_exit(int result) {
  if (__monabs_handlers != 0) {
    __monabs_limit("thrd_exit with clean-up handlers or inside call_once is not modelled");
  }
  __monabs_thread_finish((void *)(long)result);
  __monabs_stop();
}

// Exact.
thrd_t thrd_current(void) {
  return pthread_self();
}

// Exact.
int thrd_equal(thrd_t first, thrd_t second) {
  return first == second;
}

// Exact: nobody waits for a detached thread. See pthread_detach.
int thrd_detach(thrd_t thread) {
  __monabs_detach(thread);
  return 0;
}

// Exact: every schedule is possible anyway.
void thrd_yield(void) {
}

// Exact: every schedule is possible anyway. There are no signals to interrupt it. -2 for what is no time, as glibc.
int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  return __monabs_is_time(duration) ? 0 : -2;
}

typedef struct __monabs_c11_mutex {
  struct __monabs_mutex mutex;
} mtx_t;

// Exact but that it never fails.
int mtx_init(mtx_t *mutex, int type) {
  __monabs_mutex_init(&mutex->mutex, type & 1);
  return 0;
}

// Exact but for a mutex that is locked, which C leaves undefined: a violation.
void mtx_destroy(mtx_t *mutex) {
  __monabs_check("mutex", !mutex->mutex.lock.locked, "a mutex is destroyed that is locked");
  __monabs_destroy(&mutex->mutex.lock.destroyed);
}

// Exact.
int mtx_lock(mtx_t *mutex) {
  __monabs_use(&mutex->mutex.lock.destroyed);
  return __monabs_mutex_lock(&mutex->mutex) == 0 ? 0 : 2;
}

// Exact for the standard, by which it may also fail for no reason; glibc and musl fail only if the mutex is taken.
int mtx_trylock(mtx_t *mutex) {
  __monabs_use(&mutex->mutex.lock.destroyed);
  if (__monabs_nondet_bool()) {
    return 1;
  }
  return __monabs_mutex_trylock(&mutex->mutex) == 0 ? 0 : 1;
}

// Exact up to the clock: it may time out whenever the mutex was taken on entry.
int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
  int result;
  __monabs_use(&mutex->mutex.lock.destroyed);
  result = __monabs_mutex_timedlock(&mutex->mutex, __monabs_has_nanoseconds(time));
  // A time that is none is an error.
  if (result == 110) {
    return 4;
  }
  return result == 0 ? 0 : 2;
}

// Exact for a mutex that this thread holds; else a violation.
int mtx_unlock(mtx_t *mutex) {
  int result;
  __monabs_use(&mutex->mutex.lock.destroyed);
  result = __monabs_mutex_unlock(&mutex->mutex);
  __monabs_check("mutex", result == 0, "unlock of a recursive mutex that this thread does not hold");
  return result == 0 ? 0 : 2;
}

// Like POSIX condition variables: a waiting thread may wake up at any time. See condition.c.
typedef struct __monabs_c11_condition {
  struct __monabs_waiters waiters;
  long long rest[5];
} cnd_t;

// Exact but that it never fails: no effect.
int cnd_init(cnd_t *condition) {
  __monabs_store_flag(&condition->waiters.destroyed, 0);
  return 0;
}

// Exact.
void cnd_destroy(cnd_t *condition) {
  __monabs_destroy(&condition->waiters.destroyed);
}

// Exact: any thread may wake up at any time.
int cnd_signal(cnd_t *condition) {
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (__monabs_deadlocks()) {
    __monabs_waiters_signal(&condition->waiters);
  }
  return 0;
}

// Exact: any thread may wake up at any time.
int cnd_broadcast(cnd_t *condition) {
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (__monabs_deadlocks()) {
    __monabs_waiters_broadcast(&condition->waiters);
  }
  return 0;
}

static int __monabs_cnd_begin(cnd_t *condition, mtx_t *mutex) {
  int result;
  if (!__monabs_deadlocks()) {
    return mtx_unlock(mutex);
  }
  __CPROVER_atomic_begin();
  result = mtx_unlock(mutex);
  if (result == 0) {
    __monabs_waiters_begin(&condition->waiters);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact: releases the mutex and takes it again at any later time.
int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  int result;
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  result = __monabs_cnd_begin(condition, mutex);
  if (result == 0) {
    if (__monabs_deadlocks()) {
      __monabs_waiters_end(&condition->waiters);
    }
    __monabs_mutex_lock(&mutex->mutex);
  }
  return result;
}

// Exact up to the clock: it may time out at any time; 2 (an error) if the time is none.
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
  int result;
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (!__monabs_has_nanoseconds(time)) {
    return 2;
  }
  result = __monabs_cnd_begin(condition, mutex);
  if (result == 0) {
    if (__monabs_deadlocks()) {
      __monabs_waiters_end_in_time(&condition->waiters);
    }
    __monabs_mutex_lock(&mutex->mutex);
    if (__monabs_nondet_bool()) {
      result = 4;
    }
  }
  return result;
}

typedef struct __monabs_once_flag {
  int state;
} once_flag;

// Exact: one thread runs the function, the others wait for its end. No answer where the function ends its thread.
void call_once(once_flag *flag, void (*function)(void)) {
  _Bool first;
  __CPROVER_atomic_begin();
  __monabs_wait(flag->state == 1);
  __CPROVER_assume(flag->state != 1);
  first = flag->state == 0;
  if (first) {
    flag->state = 1;
  }
  __CPROVER_atomic_end();
  if (first) {
    __monabs_handlers = __monabs_handlers + 1;
    function();
    __monabs_handlers = __monabs_handlers - 1;
    flag->state = 2;
  }
}

typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);

// Exact for the first four keys; see keys.c.
int tss_create(tss_t *key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? 0 : 2;
}

// Exact.
void tss_delete(tss_t key) {
  pthread_key_delete(key);
}

// Exact.
void *tss_get(tss_t key) {
  return pthread_getspecific(key);
}

// Exact.
int tss_set(tss_t key, void *value) {
  return pthread_setspecific(key, value);
}

//! requires: pthread_cond_t
//! unless-defined: pthread_cond_wait pthread_cond_signal pthread_cond_broadcast
// POSIX condition variables. POSIX permits a waiting thread to wake up without a signal. So a wait is: release the mutex, and
// at any later time take it again. Whether a thread waits, and whether it was woken, can then make no difference to any other
// thread, and signals change nothing. This has exactly the runs that POSIX permits: it needs no state at all, unless somebody looks for threads
// that wait for ever (waiters.c).

// The mutex may be of mutex.c or the user's own, hence no type here.
int pthread_mutex_lock();
int pthread_mutex_unlock();

typedef struct __monabs_condition {
  struct __monabs_waiters waiters;
  long long rest[5];
} pthread_cond_t;

// Exact but that it never fails: no effect.
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  __monabs_look_at_condition(attributes);
  __monabs_store_flag(&condition->waiters.destroyed, 0);
  return 0;
}

// Exact.
int pthread_cond_destroy(pthread_cond_t *condition) {
  __monabs_destroy(&condition->waiters.destroyed);
  return 0;
}

// Exact, see above: any thread may wake up at any time.
int pthread_cond_signal(pthread_cond_t *condition) {
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (__monabs_deadlocks()) {
    __monabs_waiters_signal(&condition->waiters);
  }
  return 0;
}

// Exact, see above: any thread may wake up at any time.
int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (__monabs_deadlocks()) {
    __monabs_waiters_broadcast(&condition->waiters);
  }
  return 0;
}

static int __monabs_cond_begin(pthread_cond_t *condition, void *mutex) {
  int result;
  if (!__monabs_deadlocks()) {
    return pthread_mutex_unlock(mutex);
  }
  __CPROVER_atomic_begin();
  result = pthread_mutex_unlock(mutex);
  if (result == 0) {
    __monabs_waiters_begin(&condition->waiters);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact, see above. Who does not hold the mutex violates the check, or gets 1 (EPERM) from a mutex that checks for itself.
int pthread_cond_wait(pthread_cond_t *condition, void *mutex) {
  int result;
  __monabs_cancellation_point();
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  result = __monabs_cond_begin(condition, mutex);
  if (result == 0) {
    if (__monabs_deadlocks()) {
      __monabs_waiters_end(&condition->waiters);
    }
    pthread_mutex_lock(mutex);
  }
  return result;
}

// Exact up to the clock: 110 (ETIMEDOUT) may come at any time; 22 (EINVAL) if the time is none.
int pthread_cond_timedwait(pthread_cond_t *condition, void *mutex, const struct timespec *time) {
  int result;
  __monabs_cancellation_point();
  if (__monabs_reads()) {
    __monabs_exists((int)condition->rest[0]);
  }
  __monabs_use(&condition->waiters.destroyed);
  if (!__monabs_has_nanoseconds(time)) {
    return 22;
  }
  result = __monabs_cond_begin(condition, mutex);
  if (result == 0) {
    if (__monabs_deadlocks()) {
      __monabs_waiters_end_in_time(&condition->waiters);
    }
    pthread_mutex_lock(mutex);
    if (__monabs_nondet_bool()) {
      result = 110;
    }
  }
  return result;
}

// Exact up to the clock, like pthread_cond_timedwait.
int pthread_cond_clockwait(pthread_cond_t *condition, void *mutex, int clock, const struct timespec *time) {
  return pthread_cond_timedwait(condition, mutex, time);
}

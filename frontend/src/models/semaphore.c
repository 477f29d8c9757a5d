//! requires: sem_t
//! requires: sem_init sem_open sem_wait sem_trywait sem_timedwait sem_post sem_getvalue sem_destroy
//! unless-defined: sem_wait sem_post
// POSIX semaphores. The largest value is 2^31 - 1. Signals are not modelled, so that nothing fails with EINTR.

typedef struct __monabs_semaphore {
  unsigned value;
  _Bool destroyed;
  unsigned long rest[sizeof(long) == 8 ? 3 : 2];
} sem_t;

// Exact; sets errno to 22 (EINVAL) if the value is too large.
int sem_init(sem_t *semaphore, int shared, unsigned value) {
  if (value > 2147483647u) {
    __monabs_errno = 22;
    return -1;
  }
  __monabs_store_flag(&semaphore->destroyed, 0);
  semaphore->value = value;
  return 0;
}

// Exact.
int sem_destroy(sem_t *semaphore) {
  __monabs_destroy(&semaphore->destroyed);
  return 0;
}

// Exact: waits until the value is positive and takes one, in one step.
int sem_wait(sem_t *semaphore) {
  __monabs_cancellation_point();
  __monabs_use(&semaphore->destroyed);
  __CPROVER_atomic_begin();
  __monabs_wait(semaphore->value == 0);
  __CPROVER_assume(semaphore->value > 0);
  semaphore->value = semaphore->value - 1;
  __CPROVER_atomic_end();
  return 0;
}

// Exact; errno 11 is EAGAIN.
int sem_trywait(sem_t *semaphore) {
  int result = 0;
  __monabs_use(&semaphore->destroyed);
  __CPROVER_atomic_begin();
  if (semaphore->value > 0 && !__monabs_refused()) {
    semaphore->value = semaphore->value - 1;
  } else {
    result = -1;
    __monabs_errno = 11;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact up to the clock: it may time out (errno 110, ETIMEDOUT) whenever the value was 0 on entry. With a time that is none errno is 22 (EINVAL) then; glibc looks at it before,
// musl does not.
int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
  int result = 0;
  _Bool waits = __monabs_has_nanoseconds(time);
  __monabs_use(&semaphore->destroyed);
  if (!waits && __monabs_nondet_bool()) {
    __monabs_errno = 22;
    return -1;
  }
  __CPROVER_atomic_begin();
  if ((semaphore->value == 0 && (!waits || __monabs_nondet_bool())) || __monabs_refused()) {
    result = -1;
    __monabs_errno = waits ? 110 : 22;
  } else {
    __CPROVER_assume(semaphore->value > 0);
    semaphore->value = semaphore->value - 1;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact up to the clock, like sem_timedwait.
int sem_clockwait(sem_t *semaphore, int clock, const struct timespec *time) {
  return sem_timedwait(semaphore, time);
}

// Exact: fails with errno 75 (EOVERFLOW) at the largest value.
int sem_post(sem_t *semaphore) {
  int result = 0;
  __monabs_use(&semaphore->destroyed);
  __CPROVER_atomic_begin();
  if (semaphore->value < 2147483647u) {
    semaphore->value = semaphore->value + 1;
  } else {
    result = -1;
    __monabs_errno = 75;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact for Linux: 0 when threads are waiting, where POSIX also permits a negative number.
int sem_getvalue(sem_t *semaphore, int *value) {
  __monabs_use(&semaphore->destroyed);
  __monabs_store_int(value, (int)semaphore->value);
  return 0;
}

// Named semaphores: no answer.
sem_t *sem_open(const char *name, int flags, ...) {
  __monabs_limit("named semaphores are not modelled");
  return 0;
}

// See sem_open.
int sem_close(sem_t *semaphore) {
  return 0;
}

// See sem_open.
int sem_unlink(const char *name) {
  return 0;
}

//! requires: pthread_rwlock_t
//! unless-defined: pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
//! initialiser: pthread_rwlock_t lp64 kind=17
//! initialiser: pthread_rwlock_t ilp32 kind=6
// POSIX read-write locks. `readers` counts, because a writer waits for all of them. `writing` and `reading` say what this
// thread holds, for the checks. Waiting writers hold up no reader: that only removes waiting, so no run is lost, but perhaps a deadlock, so that
// there is no answer about deadlocks of locks that do not prefer readers.

typedef struct __monabs_rwlock {
  _Bool writer;
  _Bool destroyed;
  unsigned readers;
  _Thread_local _Bool writing;
  _Thread_local unsigned reading;
  int kind;
  unsigned long rest[sizeof(long) == 8 ? 4 : 3];
} pthread_rwlock_t;

// Exact but that it never fails. Who holds the lock must not initialise it: a violation.
int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes) {
  int kind = __monabs_rwlock_kind(attributes);
  __monabs_check("mutex", !rwlock->writing && rwlock->reading == 0, "a read-write lock is initialised that this thread holds");
  __monabs_store_flag(&rwlock->destroyed, 0);
  __CPROVER_atomic_begin();
  rwlock->writer = 0;
  rwlock->readers = 0;
  rwlock->writing = 0;
  rwlock->reading = 0;
  rwlock->kind = kind;
  __CPROVER_atomic_end();
  return 0;
}

// Exact but for a lock that is held, which POSIX leaves undefined: a violation.
int pthread_rwlock_destroy(pthread_rwlock_t *rwlock) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", !rwlock->writer && rwlock->readers == 0, "a read-write lock is destroyed that is held");
  __CPROVER_atomic_end();
  __monabs_destroy(&rwlock->destroyed);
  return 0;
}

static void __monabs_rwlock_begin_reading(pthread_rwlock_t *rwlock) {
  __CPROVER_assume(!rwlock->writer);
  __CPROVER_assume(rwlock->readers != (unsigned)-1);
  rwlock->readers = rwlock->readers + 1;
  rwlock->reading = rwlock->reading + 1;
}

static void __monabs_rwlock_begin_writing(pthread_rwlock_t *rwlock) {
  __CPROVER_assume(!rwlock->writer && rwlock->readers == 0);
  rwlock->writer = 1;
  rwlock->writing = 1;
}

// Exact for fewer than 2^32 read locks at once. Who writes must not read: a violation; without the check 35 (EDEADLK).
int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock) {
  int result = 0;
  __monabs_use(&rwlock->destroyed);
  if (__monabs_deadlocks() && rwlock->kind != 0) {
    __monabs_limit("readers that wait for waiting writers are not modelled");
  }
  __CPROVER_atomic_begin();
  __monabs_wait(rwlock->writer && !rwlock->writing);
  __monabs_check("mutex", !rwlock->writing, "read lock by the thread that holds the write lock");
  if (rwlock->writing) {
    result = 35;
  } else {
    __monabs_rwlock_begin_reading(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact. Who holds the lock in any way must not ask: a violation; without the check a writer gets 35 (EDEADLK) and a reader
// waits for ever, as in glibc.
int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock) {
  int result = 0;
  __monabs_use(&rwlock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_wait((rwlock->writer || rwlock->readers != 0) && !rwlock->writing);
  __monabs_check("mutex", !rwlock->writing, "double lock: the thread already holds the write lock");
  __monabs_check("mutex", rwlock->reading == 0, "write lock by a thread that holds the read lock");
  if (rwlock->writing) {
    result = 35;
  } else {
    __monabs_rwlock_begin_writing(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact for locks that prefer readers (the default): 16 (EBUSY) if somebody writes. For the others also when there are
// readers, because a writer may be waiting; over-approximated there when none is.
int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock) {
  int result = 0;
  __monabs_use(&rwlock->destroyed);
  __CPROVER_atomic_begin();
  if (rwlock->writer || __monabs_refused()) {
    result = 16;
  } else if (rwlock->kind != 0 && rwlock->readers > 0 && __monabs_nondet_bool()) {
    __monabs_approximate("a writer may be waiting for a read-write lock");
    result = 16;
  } else {
    __monabs_rwlock_begin_reading(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact: 16 (EBUSY) if somebody reads or writes.
int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock) {
  int result = 0;
  __monabs_use(&rwlock->destroyed);
  __CPROVER_atomic_begin();
  if (rwlock->writer || rwlock->readers != 0 || __monabs_refused()) {
    result = 16;
  } else {
    __monabs_rwlock_begin_writing(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact up to the clock and to preferences: 110 (ETIMEDOUT) is possible if tryrdlock could fail on entry. A time that is none is 22 (EINVAL) then; glibc looks at it
// before, musl does not.
int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *time) {
  int result = 0;
  _Bool waits = __monabs_has_nanoseconds(time);
  __monabs_use(&rwlock->destroyed);
  if (!waits && __monabs_nondet_bool()) {
    return 22;
  }
  __CPROVER_atomic_begin();
  if (rwlock->writing) {
    result = 35;
  } else if ((rwlock->writer && (!waits || __monabs_nondet_bool())) || __monabs_refused()) {
    result = waits ? 110 : 22;
  } else if (rwlock->kind != 0 && rwlock->readers > 0 && __monabs_nondet_bool()) {
    __monabs_approximate("a writer may be waiting for a read-write lock");
    result = waits ? 110 : 22;
  } else {
    __monabs_rwlock_begin_reading(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact up to the clock: 110 (ETIMEDOUT) is possible if the lock was taken on entry, and 22 as for timedrdlock.
int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *time) {
  int result = 0;
  _Bool waits = __monabs_has_nanoseconds(time);
  __monabs_use(&rwlock->destroyed);
  if (!waits && __monabs_nondet_bool()) {
    return 22;
  }
  __CPROVER_atomic_begin();
  if (rwlock->writing) {
    result = 35;
  } else if (((rwlock->writer || rwlock->readers != 0) && (!waits || __monabs_nondet_bool())) || __monabs_refused()) {
    result = waits ? 110 : 22;
  } else {
    __monabs_rwlock_begin_writing(rwlock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact for a lock that this thread holds; else a violation. What this thread holds says what is released, so that a reader's step is one of a reader
// wherever it is looked at.
int pthread_rwlock_unlock(pthread_rwlock_t *rwlock) {
  __monabs_use(&rwlock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_check("mutex", rwlock->writer || rwlock->readers > 0, "unlock of a read-write lock that is not locked");
  __monabs_check("mutex", rwlock->writing || rwlock->reading > 0, "unlock of a read-write lock that other threads hold");
  if (rwlock->writing) {
    rwlock->writer = 0;
    rwlock->writing = 0;
  } else if (rwlock->reading > 0) {
    rwlock->readers = rwlock->readers - 1;
    rwlock->reading = rwlock->reading - 1;
  } else if (rwlock->writer) {
    rwlock->writer = 0;
  } else if (rwlock->readers > 0) {
    rwlock->readers = rwlock->readers - 1;
  }
  __CPROVER_atomic_end();
  return 0;
}

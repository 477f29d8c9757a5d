//! requires: pthread_cond_t cnd_t
// Who waits for a condition variable of POSIX or C11. Nothing of this is there unless somebody looks for deadlocks: otherwise it makes no difference who was woken,
// because any thread may wake up by itself (see condition.c). Whether a thread waits for ever, however, depends on it.
//
// A signal wakes exactly one of those who wait, if there are any: it leaves word for one of them to take, and goes on when one has. Nobody begins to wait in between, so whoever
// takes it waited already.

struct __monabs_waiters {
  unsigned count;
  _Bool wanted;
  _Bool destroyed;
  _Thread_local _Bool waiting;
};

// In an atomic section with the release of the mutex.
static void __monabs_waiters_begin(struct __monabs_waiters *waiters) {
  __CPROVER_assume(!waiters->wanted);
  waiters->waiting = 1;
  waiters->count = waiters->count + 1;
}

// Exact: until somebody wakes this thread, or it wakes up by itself, which nobody can rely on.
static void __monabs_waiters_end(struct __monabs_waiters *waiters) {
  if (__monabs_nondet_bool()) {
    __CPROVER_atomic_begin();
    if (waiters->waiting) {
      waiters->waiting = 0;
      waiters->count = waiters->count - 1;
    }
    __CPROVER_atomic_end();
  } else {
    __CPROVER_atomic_begin();
    __monabs_wait(waiters->waiting && !waiters->wanted);
    if (waiters->waiting) {
      __CPROVER_assume(waiters->wanted);
      waiters->wanted = 0;
      waiters->waiting = 0;
      waiters->count = waiters->count - 1;
    }
    __CPROVER_atomic_end();
  }
}

// Exact up to the clock: like __monabs_waiters_end, but does not wait for ever.
static void __monabs_waiters_end_in_time(struct __monabs_waiters *waiters) {
  __CPROVER_atomic_begin();
  if (waiters->waiting) {
    if (waiters->wanted && __monabs_nondet_bool()) {
      waiters->wanted = 0;
    }
    waiters->waiting = 0;
    waiters->count = waiters->count - 1;
  }
  __CPROVER_atomic_end();
}

// Exact: see above. Those who waited may all have woken up by themselves meanwhile.
static void __monabs_waiters_signal(struct __monabs_waiters *waiters) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!waiters->wanted);
  waiters->wanted = waiters->count != 0;
  __CPROVER_atomic_end();
  __CPROVER_atomic_begin();
  __CPROVER_assume(!waiters->wanted || waiters->count == 0);
  waiters->wanted = 0;
  __CPROVER_atomic_end();
}

// Exact: wakes all who wait.
static void __monabs_waiters_broadcast(struct __monabs_waiters *waiters) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!waiters->wanted);
  waiters->count = 0;
__CPROVER_passive_broadcast:
  waiters->waiting = 0;
  __CPROVER_atomic_end();
}

//! requires: pthread_barrier_t
//! unless-defined: pthread_barrier_wait
// POSIX barriers. The last thread of a round flips `phase`; the others wait until it differs from what they found. A thread
// that is so slow to leave that a second round ends before it moves finds its old phase again and stays. No run is lost by
// that: to leave changes nothing for anybody else, so it could as well have left in time and rested behind the barrier. But it does not wait
// for ever: where deadlocks are looked for, rounds are counted as well.

typedef struct __monabs_barrier {
  unsigned count;
  unsigned arrived;
  _Bool phase;
  _Bool chosen;
  _Bool destroyed;
  unsigned round;
  unsigned long rest[sizeof(long) == 8 ? 2 : 1];
} pthread_barrier_t;

// Exact; 22 is EINVAL.
int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  __monabs_look_at_barrier(attributes);
  if (count == 0) {
    return 22;
  }
  __monabs_store_flag(&barrier->destroyed, 0);
  __CPROVER_atomic_begin();
  barrier->count = count;
  barrier->arrived = 0;
  barrier->phase = 0;
  barrier->chosen = 0;
  barrier->round = 0;
  __CPROVER_atomic_end();
  return 0;
}

// Exact but for a barrier that threads wait at, which POSIX leaves undefined: a violation.
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  __monabs_check("mutex", barrier->arrived == 0, "a barrier is destroyed that threads wait at");
  __monabs_destroy(&barrier->destroyed);
  return 0;
}

// Exact: nobody leaves before `count` threads have come, and exactly one thread of a round, any of them, gets -1
// (PTHREAD_BARRIER_SERIAL_THREAD). It is chosen on arrival; if nobody was, the last one is. No answer for a barrier that nobody initialised: none has a count of 0.
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  _Bool phase;
  unsigned round;
  _Bool serial = 0;
  __monabs_use(&barrier->destroyed);
  if (barrier->count == 0) {
    __monabs_limit("a barrier is used that was not initialised: POSIX leaves this undefined");
  }
  __CPROVER_atomic_begin();
  phase = barrier->phase;
  round = barrier->round;
  barrier->arrived = barrier->arrived + 1;
  if (!barrier->chosen && (barrier->arrived == barrier->count || __monabs_nondet_bool())) {
    serial = 1;
    barrier->chosen = 1;
  }
  if (barrier->arrived == barrier->count) {
    barrier->arrived = 0;
    barrier->chosen = 0;
    barrier->phase = !phase;
    if (__monabs_deadlocks()) {
      barrier->round = round + 1;
    }
  }
  __CPROVER_atomic_end();
  __CPROVER_atomic_begin();
  __monabs_wait(barrier->round == round);
  __CPROVER_assume(barrier->phase != phase);
  __CPROVER_atomic_end();
  return serial ? -1 : 0;
}

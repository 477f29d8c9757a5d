//! requires: kcondvar_t
//! unless-defined: cv_wait cv_signal cv_broadcast
// Condition variables of the Solaris, illumos and NetBSD kernels. One flag per thread, as in freebsd_condition.c, which gives
// the reasons. No thread wakes up by itself.

// The mutex may be of solaris.c or the user's own, hence no type here.
void mutex_enter();
void mutex_exit();

typedef struct __monabs_kcondvar {
  _Thread_local _Bool waiting;
} kcondvar_t;

// Exact: no thread waits. The further parameters have no effect on what threads can do.
void cv_init(kcondvar_t *condition, ...) {
}

// Exact; use after it is not checked.
void cv_destroy(kcondvar_t *condition) {
}

static void __monabs_kcondvar_sleep(kcondvar_t *condition, void *mutex) {
  __CPROVER_atomic_begin();
  mutex_exit(mutex);
  condition->waiting = 1;
  __CPROVER_atomic_end();
}

// Exact: wakes up only after a signal or broadcast that came while it waited.
void cv_wait(kcondvar_t *condition, void *mutex) {
  __monabs_kcondvar_sleep(condition, mutex);
  __CPROVER_assume(!condition->waiting);
  mutex_enter(mutex);
}

// Like cv_wait, or gives up at any time. Says whether it was woken.
static _Bool __monabs_kcondvar_wait(kcondvar_t *condition, void *mutex) {
  _Bool woken = 1;
  __monabs_kcondvar_sleep(condition, mutex);
  __CPROVER_atomic_begin();
  if (__monabs_nondet_bool()) {
    condition->waiting = 0;
    woken = 0;
  }
  __CPROVER_assume(!condition->waiting);
  __CPROVER_atomic_end();
  mutex_enter(mutex);
  return woken;
}

static int __monabs_positive(void) {
  int number = __monabs_nondet_int();
  __CPROVER_assume(number > 0);
  return number;
}

// Exact for NetBSD up to the clock: 0, or 35 (EWOULDBLOCK) at any time. Solaris' results, a positive number or -1, are possible
// too; a run with them is not claimed to be real.
int cv_timedwait(kcondvar_t *condition, void *mutex, long ticks) {
  _Bool woken = __monabs_kcondvar_wait(condition, mutex);
  int result = woken ? 0 : 35;
  if (__monabs_nondet_bool()) {
    __monabs_approximate("cv_timedwait returns what it does in Solaris");
    result = woken ? __monabs_positive() : -1;
  }
  return result;
}

// Exact for NetBSD: 0, or 4 (EINTR) or -3 (ERESTART) at any time. Solaris' results, a positive number or 0 after a signal, are
// possible too; a run with them is not claimed to be real.
int cv_wait_sig(kcondvar_t *condition, void *mutex) {
  _Bool woken = __monabs_kcondvar_wait(condition, mutex);
  int result = woken ? 0 : (__monabs_nondet_bool() ? 4 : -3);
  if (__monabs_nondet_bool()) {
    __monabs_approximate("cv_wait_sig returns what it does in Solaris");
    result = woken ? __monabs_positive() : 0;
  }
  return result;
}

// See cv_signal in freebsd_condition.c: any set of the waiting threads wakes up.
void cv_signal(kcondvar_t *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = __CPROVER_passive(condition->waiting) && __monabs_nondet_bool();
}

// Exact: wakes all threads that wait.
void cv_broadcast(kcondvar_t *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = 0;
}

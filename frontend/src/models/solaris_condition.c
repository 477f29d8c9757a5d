//! requires: kcondvar_t
//! requires: cv_init cv_wait cv_wait_sig cv_timedwait cv_signal cv_broadcast
//! unless-defined: cv_wait cv_signal cv_broadcast
// Condition variables of the Solaris, illumos and NetBSD kernels. Which of them it is, only --environment can tell: what Solaris does otherwise than NetBSD has names
// of its own here, which its environment calls. One flag per thread, as in freebsd_condition.c, which gives
// the reasons. No thread wakes up by itself.

// The mutex may be of solaris.c or the user's own, hence no type here.
void mutex_enter();
void mutex_exit();

typedef struct __monabs_kcondvar {
  _Bool wanted;
  _Thread_local _Bool waiting;
} kcondvar_t;

// Exact: no thread waits. The further parameters have no effect on what threads can do.
void cv_init(kcondvar_t *condition, ...) {
}

// Exact; use after it is not checked.
void cv_destroy(kcondvar_t *condition) {
}

static void __monabs_kcondvar_sleep(kcondvar_t *condition, void *mutex) {
  if (__monabs_deadlocks()) {
    __monabs_limit("who waits for ever for a condition variable of a kernel is not known");
  }
  __CPROVER_atomic_begin();
  __CPROVER_assume(!condition->wanted);
  mutex_exit(mutex);
  condition->waiting = 1;
  __CPROVER_atomic_end();
}

static void __monabs_kcondvar_wake_up(kcondvar_t *condition) {
  __CPROVER_atomic_begin();
  if (condition->waiting) {
    __CPROVER_assume(condition->wanted);
    condition->wanted = 0;
    condition->waiting = 0;
  }
  __CPROVER_atomic_end();
}

// Exact: wakes up only after a signal or broadcast that came while it waited.
void cv_wait(kcondvar_t *condition, void *mutex) {
  __monabs_kcondvar_sleep(condition, mutex);
  __monabs_kcondvar_wake_up(condition);
  mutex_enter(mutex);
}

// Like cv_wait, or gives up at any time. Says whether it was woken.
static _Bool __monabs_kcondvar_wait(kcondvar_t *condition, void *mutex) {
  _Bool woken = 1;
  __monabs_kcondvar_sleep(condition, mutex);
  if (__monabs_nondet_bool()) {
    condition->waiting = 0;
    woken = 0;
  }
  __monabs_kcondvar_wake_up(condition);
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

// Exact for Solaris up to the clock: a positive number, or -1 at any time.
long __monabs_cv_timedwait(kcondvar_t *condition, void *mutex, long ticks) {
  return __monabs_kcondvar_wait(condition, mutex) ? __monabs_positive() : -1;
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

// Exact for Solaris: a positive number, or 0 at any time.
int __monabs_cv_wait_sig(kcondvar_t *condition, void *mutex) {
  return __monabs_kcondvar_wait(condition, mutex) ? __monabs_positive() : 0;
}

// Exact for NetBSD up to the clock: see cv_timedwait and cv_wait_sig.
int cv_timedwait_sig(kcondvar_t *condition, void *mutex, long ticks) {
  if (__monabs_nondet_bool()) {
    return cv_timedwait(condition, mutex, ticks);
  }
  return cv_wait_sig(condition, mutex);
}

// Exact for Solaris up to the clock: a positive number, -1 or 0.
long __monabs_cv_timedwait_sig(kcondvar_t *condition, void *mutex, long ticks) {
  if (__monabs_nondet_bool()) {
    return __monabs_cv_timedwait(condition, mutex, ticks);
  }
  return __monabs_cv_wait_sig(condition, mutex);
}

// Exact for NetBSD, whose manual permits that more than one wakes up: each waiting thread decides for itself. To wake nobody is not too few, see freebsd_condition.c.
void cv_signal(kcondvar_t *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = __CPROVER_passive(condition->waiting) && __monabs_nondet_bool();
}

// Exact for Solaris and illumos, where at most one wakes up, as in freebsd_condition.c; their environment calls it.
void __monabs_cv_signal_one(kcondvar_t *condition) {
  if (__monabs_nondet_bool()) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(!condition->wanted);
    condition->wanted = 1;
    __CPROVER_atomic_end();
    __CPROVER_assume(!condition->wanted);
  }
}

// Exact: wakes all threads that wait.
void cv_broadcast(kcondvar_t *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = 0;
}

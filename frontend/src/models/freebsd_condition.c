//! requires: cv_wait cv_wait_unlock cv_wait_sig cv_timedwait cv_signal cv_broadcast
//! unless: thrd_create mtx_plain kcondvar_t
//! unless-defined: cv_wait cv_signal cv_broadcast
// Condition variables of the FreeBSD kernel: figure 14 of the thesis, with one flag per thread. No thread wakes up by itself.
//
// Deviation: the flag says "waits" instead of "was woken", is set by the wait itself, in one step with the release of the mutex,
// and starts as zero everywhere. So a broadcast changes only threads that do wait (in the figure it also reaches threads that
// will wait later, which would then not wait at all), and cv_init has nothing to do.

struct mtx;
void mtx_lock(struct mtx *mutex);
void mtx_unlock(struct mtx *mutex);

struct cv {
  _Thread_local _Bool waiting;
};

// Exact: no thread waits.
void cv_init(struct cv *condition, const char *name) {
}

// Exact; use after it is not checked.
void cv_destroy(struct cv *condition) {
}

static void __monabs_cv_sleep(struct cv *condition, struct mtx *mutex) {
  __CPROVER_atomic_begin();
  mtx_unlock(mutex);
  condition->waiting = 1;
  __CPROVER_atomic_end();
}

// Exact: wakes up only after a signal or broadcast that came while it waited.
void cv_wait(struct cv *condition, struct mtx *mutex) {
  __monabs_cv_sleep(condition, mutex);
  __CPROVER_assume(!condition->waiting);
  mtx_lock(mutex);
}

// Exact: like cv_wait, but does not take the mutex again.
void cv_wait_unlock(struct cv *condition, struct mtx *mutex) {
  __monabs_cv_sleep(condition, mutex);
  __CPROVER_assume(!condition->waiting);
}

// Like cv_wait, or gives up at any time with `reason`.
static int __monabs_cv_wait_or(struct cv *condition, struct mtx *mutex, int reason) {
  int result = 0;
  __monabs_cv_sleep(condition, mutex);
  __CPROVER_atomic_begin();
  if (__monabs_nondet_bool()) {
    condition->waiting = 0;
    result = reason;
  }
  __CPROVER_assume(!condition->waiting);
  __CPROVER_atomic_end();
  mtx_lock(mutex);
  return result;
}

// Exact up to the clock: 35 (EWOULDBLOCK of BSD) may come at any time.
int cv_timedwait(struct cv *condition, struct mtx *mutex, int ticks) {
  return __monabs_cv_wait_or(condition, mutex, 35);
}

// Exact: 4 (EINTR) or -1 (ERESTART) may come at any time.
int cv_wait_sig(struct cv *condition, struct mtx *mutex) {
  return __monabs_cv_wait_or(condition, mutex, __monabs_nondet_bool() ? 4 : -1);
}

// Exact: see cv_timedwait and cv_wait_sig.
int cv_timedwait_sig(struct cv *condition, struct mtx *mutex, int ticks) {
  if (__monabs_nondet_bool()) {
    return cv_timedwait(condition, mutex, ticks);
  }
  return cv_wait_sig(condition, mutex);
}

// Each waiting thread decides for itself whether it wakes up: any set of them, also none.
// That covers "wakes one", and none is not too few: a thread that was woken and does not move looks like one that
// still waits, so a real run can wake a thread earlier than the model does and let it rest. More than one is what POSIX and
// NetBSD permit for signals; where a system promises at most one, this is over-approximated.
void cv_signal(struct cv *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = __CPROVER_passive(condition->waiting) && __monabs_nondet_bool();
}

// Exact: wakes all threads that wait. The caller does not.
void cv_broadcast(struct cv *condition) {
__CPROVER_passive_broadcast:
  condition->waiting = 0;
}

// Exact: priorities have no effect on what threads can do.
void cv_broadcastpri(struct cv *condition, int priority) {
  cv_broadcast(condition);
}

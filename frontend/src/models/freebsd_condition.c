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

//
// cv_signal wakes at most one: it leaves word for one of the waiting threads to take, and goes on when one has. Nobody begins to wait in between, so whoever takes it
// waited already. To wake nobody is possible, too, and not too few: a thread that was woken and does not move looks like one that still
// waits, and one that gives up later may have given up before.

struct cv {
  _Bool wanted;
  _Thread_local _Bool waiting;
};

// Exact: no thread waits.
void cv_init(struct cv *condition, const char *name) {
}

// Exact; use after it is not checked.
void cv_destroy(struct cv *condition) {
}

static void __monabs_cv_sleep(struct cv *condition, struct mtx *mutex) {
  if (__monabs_deadlocks()) {
    __monabs_limit("who waits for ever for a condition variable of a kernel is not known");
  }
  __CPROVER_atomic_begin();
  __CPROVER_assume(!condition->wanted);
  mtx_unlock(mutex);
  condition->waiting = 1;
  __CPROVER_atomic_end();
}

static void __monabs_cv_wake_up(struct cv *condition) {
  __CPROVER_atomic_begin();
  if (condition->waiting) {
    __CPROVER_assume(condition->wanted);
    condition->wanted = 0;
    condition->waiting = 0;
  }
  __CPROVER_atomic_end();
}

// Exact: wakes up only after a signal or broadcast that came while it waited.
void cv_wait(struct cv *condition, struct mtx *mutex) {
  __monabs_cv_sleep(condition, mutex);
  __monabs_cv_wake_up(condition);
  mtx_lock(mutex);
}

// Exact: like cv_wait, but does not take the mutex again.
void cv_wait_unlock(struct cv *condition, struct mtx *mutex) {
  __monabs_cv_sleep(condition, mutex);
  __monabs_cv_wake_up(condition);
}

// Like cv_wait, or gives up at any time with `reason`.
static int __monabs_cv_wait_or(struct cv *condition, struct mtx *mutex, int reason) {
  int result = 0;
  __monabs_cv_sleep(condition, mutex);
  if (__monabs_nondet_bool()) {
    condition->waiting = 0;
    result = reason;
  }
  __monabs_cv_wake_up(condition);
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

// Exact: wakes one thread that waits, or none; see above.
void cv_signal(struct cv *condition) {
  if (__monabs_nondet_bool()) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(!condition->wanted);
    condition->wanted = 1;
    __CPROVER_atomic_end();
    __CPROVER_assume(!condition->wanted);
  }
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

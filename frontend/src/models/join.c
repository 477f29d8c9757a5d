//! uses: pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cancel thrd_join
// Threads that are waited for. A thread that some creation site can name has a record, and its handle is the record's address; join is exact.
// Where a site creates more threads than it has records, a thread is anonymous, as in threads.c: comparing handles stays exact, and only join does not
// know what to wait for.

static _Bool __monabs_has_record(unsigned long thread) {
  return thread <= (unsigned long)-1 / 2 || __monabs_is_initial(thread);
}

// Run by every thread but main when its function has returned. `result` is the function's value, converted to a pointer.
void __monabs_thread_finish(void *result) {
  struct __monabs_thread *record = __monabs_record(__monabs_self);
  __monabs_run_destructors();
  if (__monabs_has_record(__monabs_self)) {
    __CPROVER_atomic_begin();
    record->result = result;
    record->finished = 1;
    __monabs_thread_leaves();
    __CPROVER_atomic_end();
  } else {
    __monabs_thread_leaves();
  }
}

// The handle for the next thread of this site: exact, see above. One step, so that it vanishes where nobody uses handles.
static unsigned long __monabs_new_handle(_Bool detached) {
  unsigned long handle;
  __CPROVER_atomic_begin();
  handle = (unsigned long)__monabs_try_alloc(sizeof(struct __monabs_thread));
  if (handle == 0) {
    handle = __monabs_new_identity();
  } else if (detached) {
    ((struct __monabs_thread *)handle)->detached = 1;
  }
  __CPROVER_atomic_end();
  return handle;
}

// A thread's own handle is that of another thread only if that one was joined, or has ended detached.
static unsigned long __monabs_find(unsigned long given) {
  unsigned long thread = __monabs_meant(given);
  struct __monabs_thread *other = __monabs_record(given);
  if (thread != given && __monabs_has_record(given)) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(other->joined || (other->detached && other->finished));
    __CPROVER_atomic_end();
  }
  return thread;
}

// Waits for a thread. Exact with a record; it is released, because the handle must not be used again. Over-approximated
// without one (does not wait, or for ever; any result), and for a cancelled thread (does not wait for it to notice). `must_wait` says that the caller
// can do nothing else.
static void *__monabs_join(unsigned long given, _Bool must_wait) {
  unsigned long thread = __monabs_find(given);
  struct __monabs_thread *record = __monabs_record(thread);
  _Bool finished;
  void *result;
  if (thread == __monabs_self) {
    __monabs_limit("a thread joins itself: POSIX leaves open whether that is an error or a deadlock");
  }
  if (!__monabs_has_record(thread)) {
    __monabs_approximate("join does not wait: the thread cannot be identified");
    if (must_wait) {
      __CPROVER_atomic_begin();
      __monabs_wait(1);
      __CPROVER_atomic_end();
    }
    return (void *)__monabs_nondet_ulong();
  }
  __monabs_cancellation_point();
  __CPROVER_atomic_begin();
  if (record->detached) {
    __monabs_limit("a thread is joined that was detached: C and POSIX leave this undefined");
  }
  if (must_wait) {
    __monabs_wait(!record->finished);
  }
  __CPROVER_assume(record->finished || record->cancelled);
  if (record->joined) {
    __monabs_limit("a thread is joined that was joined before: C and POSIX leave this undefined");
  }
  record->joined = 1;
  finished = record->finished;
  result = record->result;
  __CPROVER_atomic_end();
  if (!finished) {
    __monabs_approximate("join does not wait: the thread was cancelled");
    return (void *)-1;
  }
  if (!__monabs_is_initial(thread)) {
    free(record);
  }
  return result;
}

// Exact with a record. A thread that was joined or detached must not be detached.
static void __monabs_detach(unsigned long given) {
  unsigned long thread = __monabs_meant(given);
  struct __monabs_thread *record = __monabs_record(thread);
  if (__monabs_has_record(thread)) {
    __CPROVER_atomic_begin();
    if (record->detached || record->joined) {
      __monabs_limit("a thread is detached that was detached or joined before: C and POSIX leave this undefined");
    }
    record->detached = 1;
    __CPROVER_atomic_end();
  }
}

// Whether a join may give up now. Exact with a record; over-approximated without one.
static _Bool __monabs_join_gives_up(unsigned long thread) {
  struct __monabs_thread *record = __monabs_record(thread);
  if (!__monabs_has_record(thread)) {
    __monabs_approximate("the thread cannot be identified");
    return __monabs_nondet_bool();
  }
  return !record->finished;
}

// See __monabs_join.
int pthread_join(pthread_t thread, void **result) {
  void *value = __monabs_join(thread, 1);
  if (result != 0) {
    __monabs_store_pointer(result, value);
  }
  return 0;
}

// Like pthread_join, but its caller can do something else than wait.
static int __monabs_join_or_not(pthread_t thread, void **result) {
  void *value = __monabs_join(thread, 0);
  if (result != 0) {
    __monabs_store_pointer(result, value);
  }
  return 0;
}

// See __monabs_join_gives_up; 16 is EBUSY.
int pthread_tryjoin_np(pthread_t thread, void **result) {
  if (__monabs_join_gives_up(thread)) {
    return 16;
  }
  return __monabs_join_or_not(thread, result);
}

// See __monabs_join_gives_up; 110 is ETIMEDOUT, which may come at any time, and 22 EINVAL.
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *time) {
  if (__monabs_nondet_bool() && __monabs_join_gives_up(thread)) {
    return __monabs_has_nanoseconds(time) ? 110 : 22;
  }
  return __monabs_join_or_not(thread, result);
}

// A cancelled thread may stay where it is for ever, as any thread may, or go on, so nothing that it can do is missed; but
// see __monabs_join. Over-approximated: it may go on for longer than in reality. No answer where clean-up handlers or
// destructors would run.
int pthread_cancel(pthread_t thread) {
  struct __monabs_thread *record = __monabs_record(thread);
  if (__monabs_deadlocks()) {
    __monabs_limit("deadlocks of cancelled threads are not modelled");
  }
  if (__monabs_has_record(thread)) {
    record->cancelled = 1;
  }
  __monabs_cancelling = 1;
  if (__monabs_cleaning) {
    __monabs_limit("clean-up handlers of a cancelled thread are not modelled");
  }
  return 0;
}

//! unless-uses: pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cancel thrd_join
// Threads that nobody waits for.

// Run by every thread but main when its function has returned. `result` is the function's value, converted to a pointer: nobody asks for it.
void __monabs_thread_finish(void *result) {
  __monabs_run_destructors();
  __monabs_thread_leaves();
}

// The handle for a new thread: exact.
static unsigned long __monabs_new_handle(_Bool detached) {
  return __monabs_new_identity();
}

// The handle of some thread that was detached: any, so that for each there is a run in which it is this one.
static unsigned long __monabs_detached;

// Exact: a thread that was detached must not be detached again.
static void __monabs_detach(unsigned long thread) {
  __CPROVER_atomic_begin();
  if (__monabs_detached == thread) {
    __monabs_limit("a thread is detached that was detached before: C and POSIX leave this undefined");
  }
  if (__monabs_nondet_bool()) {
    __monabs_detached = thread;
  }
  __CPROVER_atomic_end();
}

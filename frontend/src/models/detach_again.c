//! unless-uses: pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cancel thrd_join
//! uses-again: pthread_detach thrd_detach pthread_attr_setdetachstate
// Threads that nobody waits for, and that several places in the program detach: none must be detached twice. One of them, any, is watched.

static unsigned long __monabs_watched;

// Exact. A thread that was detached must not be detached.
static void __monabs_detach(unsigned long given) {
  unsigned long thread = __monabs_meant(given);
  __CPROVER_atomic_begin();
  if (__monabs_watched == thread) {
    __monabs_limit("a thread is detached that was detached before: C and POSIX leave this undefined");
  }
  if (__monabs_watched == 0 && __monabs_nondet_bool()) {
    __monabs_watched = thread;
  }
  __CPROVER_atomic_end();
}

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

// Without effect. Whether a thread was detached before is not looked for where nobody waits for threads: handles are numbers here.
static void __monabs_detach(unsigned long thread) {
}

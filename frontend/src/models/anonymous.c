//! unless-uses: pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cancel thrd_join
// Threads that nobody waits for.

// Run by every thread but main when its function has returned. `result` is the function's value, converted to a pointer: nobody asks for it.
void __monabs_thread_finish(void *result) {
  __monabs_run_destructors();
  __monabs_thread_leaves();
}

// The handle for a new thread: exact.
static unsigned long __monabs_new_handle(_Bool detached) {
  unsigned long handle = __monabs_new_identity();
  if (detached) {
    __monabs_detach(handle);
  }
  return handle;
}

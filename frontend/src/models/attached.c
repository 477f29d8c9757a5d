//! unless-uses: pthread_detach thrd_detach pthread_attr_setdetachstate
// Handles that never come again, because no thread is detached.

// Exact: a handle is one thread's only.
pthread_t pthread_self(void) {
  return __monabs_self;
}

static unsigned long __monabs_meant(unsigned long thread) {
  return thread;
}

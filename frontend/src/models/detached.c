//! uses: pthread_detach thrd_detach pthread_attr_setdetachstate
// The handle of a detached thread may be given to another one as soon as the thread has ended.

// What this thread was told about its own handle: if it gives it back, it means itself.
static _Thread_local unsigned long __monabs_told;

// Exact for a handle that nobody had before; else over-approximated: any handle. It is always the same. Nothing happens where nobody looks at it, as in
// pthread_detach(pthread_self()).
pthread_t pthread_self(void) {
  if (__monabs_told == 0) {
    __monabs_told = __monabs_self;
    if (__monabs_nondet_bool()) {
      __monabs_approximate("the handle of a detached thread that has ended may come again");
      __monabs_told = __monabs_nondet_ulong();
      __CPROVER_assume(__monabs_told != 0);
    }
  }
  return __monabs_told;
}

static unsigned long __monabs_meant(unsigned long thread) {
  return thread != 0 && thread == __monabs_told ? __monabs_self : thread;
}

//! uses: pthread_detach thrd_detach pthread_attr_setdetachstate
// The handle of a detached thread may be given to another one as soon as the thread has ended.

// Over-approximated: any handle. Nothing happens where nobody looks at it, as in pthread_detach(pthread_self()).
pthread_t pthread_self(void) {
  __monabs_approximate("the handle of a detached thread that has ended may come again");
  return __monabs_nondet_ulong();
}

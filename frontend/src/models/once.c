//! requires: pthread_once_t
//! unless-defined: pthread_once
// One-time initialisation. PTHREAD_ONCE_INIT is a plain 0 (glibc, musl): 0 is new, 1 is running, 2 is done.

typedef int pthread_once_t;

// Exact: one thread runs the routine, the others wait for its end. A routine that comes back to its own control waits for ever.
// A routine that ends its thread would make the control new again: no answer there (see pthread_exit, pthread_cancel).
int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  _Bool first;
  __CPROVER_atomic_begin();
  __monabs_wait(*control == 1);
  __CPROVER_assume(*control != 1);
  first = *control == 0;
  if (first) {
    *control = 1;
  }
  __CPROVER_atomic_end();
  if (first) {
    __pthread_register_cancel(0);
    routine();
    __pthread_unregister_cancel(0);
    *control = 2;
  }
  return 0;
}

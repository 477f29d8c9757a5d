// Threads: creation, end, attributes.

// Thread attributes: stored and given back. None of them restricts what threads can do.
typedef struct __monabs_thread_attributes {
  int detachstate;
  int scope;
  int inheritsched;
  int schedpolicy;
  unsigned long stacksize;
  unsigned long guardsize;
  unsigned long rest[3];
} pthread_attr_t;

// Exact but that it never fails. The new thread may run before its handle is stored, as POSIX permits.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  unsigned long handle = __monabs_new_handle();
  __monabs_spawn(function, argument, handle);
  __monabs_store_number(thread, handle);
  return 0;
}

// Exact, but where clean-up handlers would run: then there is no answer.
void pthread_exit(void *result) {
  if (__monabs_handlers != 0) {
    __monabs_limit("pthread_exit with clean-up handlers or inside pthread_once is not modelled");
  }
  __monabs_thread_finish(result);
  __monabs_stop();
}

// Exact.
int pthread_equal(pthread_t first, pthread_t second) {
  return first == second;
}

// Exact: nobody waits for a detached thread.
int pthread_detach(pthread_t thread) {
  return 0;
}

static _Thread_local int __monabs_cancel_state;
static _Thread_local int __monabs_cancel_type;

// Exact in what it returns; see pthread_cancel for the effect.
int pthread_setcancelstate(int state, int *old) {
  if (old != 0) {
    __monabs_store_int(old, __monabs_cancel_state);
  }
  __monabs_cancel_state = state;
  return 0;
}

// Exact in what it returns; see pthread_cancel for the effect.
int pthread_setcanceltype(int type, int *old) {
  if (old != 0) {
    __monabs_store_int(old, __monabs_cancel_type);
  }
  __monabs_cancel_type = type;
  return 0;
}

// See pthread_cancel.
void pthread_testcancel(void) {
  __monabs_cancellation_point();
}

// What glibc's macros pthread_cleanup_push and pthread_cleanup_pop call. Exact while nobody is cancelled or exits early.
void __pthread_register_cancel(void *buffer) {
  __monabs_handlers = __monabs_handlers + 1;
  __monabs_needs_cleaning();
}

// See __pthread_register_cancel.
void __pthread_unregister_cancel(void *buffer) {
  __monabs_handlers = __monabs_handlers - 1;
}

// See __pthread_register_cancel.
void __pthread_register_cancel_defer(void *buffer) {
  __pthread_register_cancel(buffer);
}

// See __pthread_register_cancel.
void __pthread_unregister_cancel_restore(void *buffer) {
  __pthread_unregister_cancel(buffer);
}

// Never called: the macros call it when a handler has run.
void __pthread_unwind_next(void *buffer) {
  __monabs_limit("clean-up handlers of a cancelled thread are not modelled");
  __monabs_stop();
}

// Exact but for the default sizes, which are any.
int pthread_attr_init(pthread_attr_t *attributes) {
  attributes->detachstate = 0;
  attributes->scope = 0;
  attributes->inheritsched = 0;
  attributes->schedpolicy = 0;
  attributes->stacksize = __monabs_nondet_ulong();
  attributes->guardsize = __monabs_nondet_ulong();
  return 0;
}

// Exact: no effect.
int pthread_attr_destroy(pthread_attr_t *attributes) {
  return 0;
}

// Exact; 22 is EINVAL.
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int detachstate) {
  if (detachstate != 0 && detachstate != 1) {
    return 22;
  }
  attributes->detachstate = detachstate;
  return 0;
}

// Exact.
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *detachstate) {
  *detachstate = attributes->detachstate;
  return 0;
}

// Exact but that it never fails.
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  attributes->scope = scope;
  return 0;
}

// Exact.
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) {
  *scope = attributes->scope;
  return 0;
}

// Exact but that it never fails.
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inheritsched) {
  attributes->inheritsched = inheritsched;
  return 0;
}

// Exact.
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inheritsched) {
  *inheritsched = attributes->inheritsched;
  return 0;
}

// Exact but that it never fails.
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int schedpolicy) {
  attributes->schedpolicy = schedpolicy;
  return 0;
}

// Exact.
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *schedpolicy) {
  *schedpolicy = attributes->schedpolicy;
  return 0;
}

// Exact but that it never fails.
int pthread_attr_setstacksize(pthread_attr_t *attributes, unsigned long stacksize) {
  attributes->stacksize = stacksize;
  return 0;
}

// Exact.
int pthread_attr_getstacksize(const pthread_attr_t *attributes, unsigned long *stacksize) {
  *stacksize = attributes->stacksize;
  return 0;
}

// Exact but that it never fails.
int pthread_attr_setguardsize(pthread_attr_t *attributes, unsigned long guardsize) {
  attributes->guardsize = guardsize;
  return 0;
}

// Exact.
int pthread_attr_getguardsize(const pthread_attr_t *attributes, unsigned long *guardsize) {
  *guardsize = attributes->guardsize;
  return 0;
}

// Exact: every schedule is possible anyway.
int pthread_setconcurrency(int level) {
  return 0;
}

// Exact: names have no effect.
int pthread_setname_np(pthread_t thread, const char *name) {
  return 0;
}

// Exact: every schedule is possible anyway.
int pthread_setschedprio(pthread_t thread, int priority) {
  return 0;
}

// Threads: creation, end, attributes.

// Exact but that it never fails. The new thread may run before its handle is stored, as POSIX permits.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  _Bool detached = __monabs_starts_detached(attributes);
  unsigned long handle = __monabs_new_handle(detached);
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

// Exact: nobody waits for a detached thread. One that was detached or joined before is a limit, if the program waits for threads at all.
int pthread_detach(pthread_t thread) {
  __monabs_detach(thread);
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

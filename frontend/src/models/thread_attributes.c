//! accesses: user
// Attributes of threads: the user's memory.

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

// Whether a thread with these is detached from the start. 1 is PTHREAD_CREATE_DETACHED.
static _Bool __monabs_starts_detached(const pthread_attr_t *attributes) {
  return attributes != 0 && attributes->detachstate == 1;
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

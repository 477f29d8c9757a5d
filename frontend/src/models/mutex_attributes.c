//! requires: pthread_mutex_t pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_mutexattr_setprotocol pthread_mutexattr_getprotocol pthread_mutexattr_setrobust pthread_mutexattr_getrobust
//! unless-defined: pthread_mutex_lock pthread_mutex_unlock
//! accesses: user
// Attributes of mutexes: the user's memory.

typedef struct __monabs_mutex_attributes {
  int kind : 8;
  int shared : 8;
  int protocol : 8;
} pthread_mutexattr_t;

// The kind that they ask for.
static int __monabs_mutex_kind(const pthread_mutexattr_t *attributes) {
  return attributes == 0 ? 0 : attributes->kind;
}

// Exact.
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->kind = 0;
  attributes->shared = 0;
  attributes->protocol = 0;
  return 0;
}

// Exact: no effect.
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  return 0;
}

// Exact; 22 is EINVAL.
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  if (kind < 0 || kind > 3) {
    return 22;
  }
  attributes->kind = kind;
  return 0;
}

// Exact.
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) {
  *kind = attributes->kind;
  return 0;
}

// Exact: there is one process; 22 is EINVAL.
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) {
    return 22;
  }
  attributes->shared = shared;
  return 0;
}

// Exact.
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  *shared = attributes->shared;
  return 0;
}

// Exact: every schedule is possible anyway.
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  attributes->protocol = protocol;
  return 0;
}

// Exact.
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  *protocol = attributes->protocol;
  return 0;
}

// Exact for 0 (PTHREAD_MUTEX_STALLED); no answer for robust mutexes.
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  if (robust != 0) {
    __monabs_limit("robust mutexes are not modelled");
  }
  return 0;
}

// Exact: see pthread_mutexattr_setrobust.
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  *robust = 0;
  return 0;
}

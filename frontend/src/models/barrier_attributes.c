//! requires: pthread_barrier_t pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared pthread_barrierattr_getpshared
//! unless-defined: pthread_barrier_wait
//! accesses: user
// Attributes of barriers: the user's memory.

typedef struct __monabs_barrier_attributes {
  int shared;
} pthread_barrierattr_t;

// They are read where a barrier gets them; nothing depends on them.
static void __monabs_look_at_barrier(const pthread_barrierattr_t *attributes) {
  int shared;
  if (__monabs_reads() && attributes != 0) {
    shared = attributes->shared;
  }
}

// Exact.
int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  attributes->shared = 0;
  return 0;
}

// Exact: no effect.
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  return 0;
}

// Exact: there is one process.
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  attributes->shared = shared;
  return 0;
}

// Exact.
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) {
  *shared = attributes->shared;
  return 0;
}

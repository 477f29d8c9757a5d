//! requires: pthread_cond_t pthread_condattr_init pthread_condattr_destroy pthread_condattr_setpshared pthread_condattr_getpshared pthread_condattr_setclock pthread_condattr_getclock
//! unless-defined: pthread_cond_wait pthread_cond_signal pthread_cond_broadcast
//! accesses: user
// Attributes of condition variables: the user's memory.

typedef struct __monabs_condition_attributes {
  int clock : 16;
  int shared : 16;
} pthread_condattr_t;

// They are read where a condition variable gets them; nothing depends on them.
static void __monabs_look_at_condition(const pthread_condattr_t *attributes) {
  int clock;
  if (__monabs_reads() && attributes != 0) {
    clock = attributes->clock;
  }
}

// Exact.
int pthread_condattr_init(pthread_condattr_t *attributes) {
  attributes->clock = 0;
  attributes->shared = 0;
  return 0;
}

// Exact: no effect.
int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  return 0;
}

// Exact: there is one process.
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  attributes->shared = shared;
  return 0;
}

// Exact.
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) {
  *shared = attributes->shared;
  return 0;
}

// Exact but that it never fails.
int pthread_condattr_setclock(pthread_condattr_t *attributes, int clock) {
  attributes->clock = clock;
  return 0;
}

// Exact.
int pthread_condattr_getclock(const pthread_condattr_t *attributes, int *clock) {
  *clock = attributes->clock;
  return 0;
}

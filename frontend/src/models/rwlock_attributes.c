//! requires: pthread_rwlock_t pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np
//! unless-defined: pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
//! accesses: user
// Attributes of read-write locks: the user's memory.

typedef struct __monabs_rwlock_attributes {
  int kind;
  int shared;
} pthread_rwlockattr_t;

// The kind that they ask for.
static int __monabs_rwlock_kind(const pthread_rwlockattr_t *attributes) {
  return attributes == 0 ? 0 : attributes->kind;
}

// Exact.
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  attributes->kind = 0;
  attributes->shared = 0;
  return 0;
}

// Exact: no effect.
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  return 0;
}

// Exact: there is one process.
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  attributes->shared = shared;
  return 0;
}

// Exact.
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) {
  *shared = attributes->shared;
  return 0;
}

// Exact; 22 is EINVAL.
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  if (kind < 0 || kind > 2) {
    return 22;
  }
  attributes->kind = kind;
  return 0;
}

// Exact.
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
  *kind = attributes->kind;
  return 0;
}

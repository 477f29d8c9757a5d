//! requires: pthread_spinlock_t
//! unless-defined: pthread_spin_lock pthread_spin_unlock
// POSIX spin locks. A variable that was never initialised counts as free if it is zero.

typedef struct __monabs_pthread_spinlock {
  _Alignas(int) struct __monabs_lock lock;
} pthread_spinlock_t;

// Exact but that it never fails.
int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  __monabs_lock_init(&lock->lock);
  return 0;
}

// Exact but for a lock that is held, which POSIX leaves undefined: a violation.
int pthread_spin_destroy(pthread_spinlock_t *lock) {
  __monabs_check("mutex", !lock->lock.locked, "a spin lock is destroyed that is locked");
  __monabs_destroy(&lock->lock.destroyed);
  return 0;
}

// Exact: spinning is waiting.
int pthread_spin_lock(pthread_spinlock_t *lock) {
  __monabs_use(&lock->lock.destroyed);
  __monabs_lock_acquire(&lock->lock);
  return 0;
}

// Exact; 16 is EBUSY.
int pthread_spin_trylock(pthread_spinlock_t *lock) {
  __monabs_use(&lock->lock.destroyed);
  return __monabs_lock_try(&lock->lock) ? 0 : 16;
}

// Exact.
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __monabs_use(&lock->lock.destroyed);
  __monabs_lock_release(&lock->lock);
  return 0;
}

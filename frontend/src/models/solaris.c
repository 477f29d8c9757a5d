//! requires: kmutex_t
//! requires: mutex_init mutex_enter mutex_spin_enter mutex_tryenter mutex_exit mutex_owned
//! unless-defined: mutex_enter mutex_exit
// Mutexes of the Solaris, illumos and NetBSD kernels.

typedef struct __monabs_kmutex {
  struct __monabs_lock lock;
} kmutex_t;

// Exact: the further parameters (they differ between the systems) have no effect on what threads can do.
void mutex_init(kmutex_t *mutex, ...) {
  __monabs_lock_init(&mutex->lock);
}

// Exact: who holds it may destroy it, as in illumos; if another thread does, that is a violation.
void mutex_destroy(kmutex_t *mutex) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", !mutex->lock.locked || mutex->lock.mine, "a mutex is destroyed that another thread holds");
  if (mutex->lock.mine) {
    mutex->lock.locked = 0;
    mutex->lock.mine = 0;
  }
  __CPROVER_atomic_end();
  __monabs_destroy(&mutex->lock.destroyed);
}

// Exact.
void mutex_enter(kmutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_acquire(&mutex->lock);
}

// Exact.
void mutex_spin_enter(kmutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_acquire(&mutex->lock);
}

// Exact: 1 if it was taken.
int mutex_tryenter(kmutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_lock_try(&mutex->lock);
}

// Exact for a mutex that this thread holds; else a violation.
void mutex_exit(kmutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_release(&mutex->lock);
}

// Exact.
void mutex_spin_exit(kmutex_t *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_release(&mutex->lock);
}

// Exact.
int mutex_owned(kmutex_t *mutex) {
  return mutex->lock.mine;
}

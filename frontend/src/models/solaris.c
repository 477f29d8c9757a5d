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

// Exact; use after it is not checked.
void mutex_destroy(kmutex_t *mutex) {
}

// Exact.
void mutex_enter(kmutex_t *mutex) {
  __monabs_lock_acquire(&mutex->lock);
}

// Exact.
void mutex_spin_enter(kmutex_t *mutex) {
  __monabs_lock_acquire(&mutex->lock);
}

// Exact: 1 if it was taken.
int mutex_tryenter(kmutex_t *mutex) {
  return __monabs_lock_try(&mutex->lock);
}

// Exact for a mutex that this thread holds; else a violation.
void mutex_exit(kmutex_t *mutex) {
  __monabs_lock_release(&mutex->lock);
}

// Exact.
void mutex_spin_exit(kmutex_t *mutex) {
  __monabs_lock_release(&mutex->lock);
}

// Exact.
int mutex_owned(kmutex_t *mutex) {
  return mutex->lock.mine;
}

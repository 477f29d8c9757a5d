//! requires: mtx_lock mtx_lock_spin mtx_init
//! unless: thrd_create mtx_plain mtx_enter
//! unless-defined: mtx_lock mtx_unlock
// Mutexes of the FreeBSD kernel. C11 has functions of the same names for another type; a text that mentions one of C11's
// own names means those.

struct mtx {
  struct __monabs_mutex mutex;
};

// Exact: option 4 is MTX_RECURSE; the others have no effect on what threads can do.
void mtx_init(struct mtx *mutex, const char *name, const char *type, int options) {
  __monabs_mutex_init(&mutex->mutex, (options & 4) != 0 ? 1 : 0);
}

// Exact: who holds it may destroy it; if another thread does, that is a violation.
void mtx_destroy(struct mtx *mutex) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", !mutex->mutex.lock.locked || mutex->mutex.lock.mine, "a mutex is destroyed that another thread holds");
  if (mutex->mutex.lock.mine) {
    mutex->mutex.lock.locked = 0;
    mutex->mutex.lock.mine = 0;
  }
  __CPROVER_atomic_end();
  __monabs_destroy(&mutex->mutex.lock.destroyed);
}

// Exact.
void mtx_lock(struct mtx *mutex) {
  __monabs_use(&mutex->mutex.lock.destroyed);
  __monabs_mutex_lock(&mutex->mutex);
}

// Exact; the flags are about messages.
void mtx_lock_flags(struct mtx *mutex, int flags) {
  mtx_lock(mutex);
}

// Exact: no interrupts are modelled but as threads, which another processor may run.
void mtx_lock_spin(struct mtx *mutex) {
  mtx_lock(mutex);
}

// Exact: 1 if it was taken. Unlike elsewhere a recursive holder succeeds.
int mtx_trylock(struct mtx *mutex) {
  __monabs_use(&mutex->mutex.lock.destroyed);
  return __monabs_mutex_trylock(&mutex->mutex) == 0;
}

// Exact, like mtx_trylock.
int mtx_trylock_spin(struct mtx *mutex) {
  return mtx_trylock(mutex);
}

// Exact for a mutex that this thread holds; else a violation.
void mtx_unlock(struct mtx *mutex) {
  int result;
  __monabs_use(&mutex->mutex.lock.destroyed);
  result = __monabs_mutex_unlock(&mutex->mutex);
  __monabs_check("mutex", result == 0, "unlock of a recursive mutex that this thread does not hold");
}

// Exact; the flags are about messages.
void mtx_unlock_flags(struct mtx *mutex, int flags) {
  mtx_unlock(mutex);
}

// Exact.
void mtx_unlock_spin(struct mtx *mutex) {
  mtx_unlock(mutex);
}

// Exact.
int mtx_owned(struct mtx *mutex) {
  return mutex->mutex.lock.mine;
}

// Exact.
int mtx_recursed(struct mtx *mutex) {
  return mutex->mutex.lock.mine && mutex->mutex.depth > 0;
}

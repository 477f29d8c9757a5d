//! requires: mtx_enter
//! unless-defined: mtx_enter mtx_leave
// Mutexes of the OpenBSD kernel, which spin. The level is about interrupts of the same processor; interrupt handlers are threads, which another processor
// may run.

struct mutex {
  struct __monabs_lock lock;
};

// Exact: the level has no effect on what threads can do.
void mtx_init(struct mutex *mutex, int level) {
  __monabs_lock_init(&mutex->lock);
}

// Exact.
void mtx_enter(struct mutex *mutex) {
  __monabs_lock_acquire(&mutex->lock);
}

// Exact: 1 if it was taken.
int mtx_enter_try(struct mutex *mutex) {
  return __monabs_lock_try(&mutex->lock);
}

// Exact for a mutex that this thread holds; else a violation.
void mtx_leave(struct mutex *mutex) {
  __monabs_lock_release(&mutex->lock);
}

// Exact: whether this thread holds it.
int __monabs_mtx_owned(struct mutex *mutex) {
  return mutex->lock.mine;
}

//! requires: mutex_lock spin_lock spin_lock_irqsave spin_lock_irq spin_lock_bh raw_spin_lock
//! unless: kmutex_t
//! unless-defined: mutex_lock mutex_unlock spin_lock spin_unlock
// Locks of the Linux kernel. What are macros there, such as spin_lock_irqsave, are functions here. Interrupt handlers are
// threads, which another processor may run; so to switch interrupts off has no effect on what threads can do.

struct mutex {
  struct __monabs_lock lock;
};

// Exact.
void mutex_init(struct mutex *mutex) {
  __monabs_lock_init(&mutex->lock);
}

// Exact but for a mutex that is locked: a violation.
void mutex_destroy(struct mutex *mutex) {
  __monabs_check("mutex", !mutex->lock.locked, "a mutex is destroyed that is locked");
  __monabs_destroy(&mutex->lock.destroyed);
}

// Exact.
void mutex_lock(struct mutex *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_acquire(&mutex->lock);
}

// Exact; the class is about messages.
void mutex_lock_nested(struct mutex *mutex, unsigned class) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_acquire(&mutex->lock);
}

// Exact: may give up with -4 (EINTR) while the mutex is taken.
int mutex_lock_interruptible(struct mutex *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_lock_timed(&mutex->lock, 1) ? 0 : -4;
}

// Exact, like mutex_lock_interruptible.
int mutex_lock_killable(struct mutex *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_lock_timed(&mutex->lock, 1) ? 0 : -4;
}

// Exact: 1 if it was taken.
int mutex_trylock(struct mutex *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  return __monabs_lock_try(&mutex->lock);
}

// Exact for a mutex that this thread holds; else a violation.
void mutex_unlock(struct mutex *mutex) {
  __monabs_use(&mutex->lock.destroyed);
  __monabs_lock_release(&mutex->lock);
}

// Exact.
int mutex_is_locked(struct mutex *mutex) {
  return mutex->lock.locked;
}

typedef struct __monabs_spinlock {
  struct __monabs_lock lock;
} spinlock_t;

// Exact.
void spin_lock_init(spinlock_t *lock) {
  __monabs_lock_init(&lock->lock);
}

// Exact.
void spin_lock(spinlock_t *lock) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact; the class is about messages.
void spin_lock_nested(spinlock_t *lock, int class) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact, see above.
void spin_lock_irq(spinlock_t *lock) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact, see above.
void spin_lock_bh(spinlock_t *lock) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact, see above; the macro stores into `flags`, whose value only spin_unlock_irqrestore may use.
void spin_lock_irqsave(spinlock_t *lock, unsigned long flags) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact: 1 if it was taken.
int spin_trylock(spinlock_t *lock) {
  return __monabs_lock_try(&lock->lock);
}

// Exact: 1 if it was taken.
int spin_trylock_irq(spinlock_t *lock) {
  return __monabs_lock_try(&lock->lock);
}

// Exact: 1 if it was taken.
int spin_trylock_bh(spinlock_t *lock) {
  return __monabs_lock_try(&lock->lock);
}

// Exact: 1 if it was taken.
int spin_trylock_irqsave(spinlock_t *lock, unsigned long flags) {
  return __monabs_lock_try(&lock->lock);
}

// Exact for a lock that this thread holds; else a violation.
void spin_unlock(spinlock_t *lock) {
  __monabs_lock_release(&lock->lock);
}

// Exact, like spin_unlock.
void spin_unlock_irq(spinlock_t *lock) {
  __monabs_lock_release(&lock->lock);
}

// Exact, like spin_unlock.
void spin_unlock_bh(spinlock_t *lock) {
  __monabs_lock_release(&lock->lock);
}

// Exact, like spin_unlock.
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags) {
  __monabs_lock_release(&lock->lock);
}

// Exact.
int spin_is_locked(spinlock_t *lock) {
  return lock->lock.locked;
}

typedef struct __monabs_raw_spinlock {
  struct __monabs_lock lock;
} raw_spinlock_t;

// Exact.
void raw_spin_lock_init(raw_spinlock_t *lock) {
  __monabs_lock_init(&lock->lock);
}

// Exact.
void raw_spin_lock(raw_spinlock_t *lock) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact, see spin_lock_irqsave.
void raw_spin_lock_irqsave(raw_spinlock_t *lock, unsigned long flags) {
  __monabs_lock_acquire(&lock->lock);
}

// Exact: 1 if it was taken.
int raw_spin_trylock(raw_spinlock_t *lock) {
  return __monabs_lock_try(&lock->lock);
}

// Exact, like spin_unlock.
void raw_spin_unlock(raw_spinlock_t *lock) {
  __monabs_lock_release(&lock->lock);
}

// Exact, like spin_unlock.
void raw_spin_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags) {
  __monabs_lock_release(&lock->lock);
}

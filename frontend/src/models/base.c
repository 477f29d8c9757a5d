// What the other models need: opaque types, errno, and the lock that all locks are made of.

struct timespec;

// Any value of the type. Not the verifiers' names: programs declare these as they like.
extern _Bool __monabs_nondet_bool(void);
extern char __monabs_nondet_char(void);
extern unsigned char __monabs_nondet_uchar(void);
extern int __monabs_nondet_int(void);
extern unsigned __monabs_nondet_uint(void);
extern long __monabs_nondet_long(void);
extern unsigned long __monabs_nondet_ulong(void);
extern double __monabs_nondet_double(void);

// In memory.c.
static void __monabs_look_at_time(const struct timespec *time);
static _Bool __monabs_is_time(const struct timespec *time);
static _Bool __monabs_has_nanoseconds(const struct timespec *time);

// In stores.c.
static void __monabs_store_flag(_Bool *target, _Bool value);
static void __monabs_look_at_flag(const _Bool *flag);

static _Thread_local int __monabs_errno;

// What is given to it was read, so that its object has to be there; nobody needs the value.
static void __monabs_exists(int value) {
}

// Exact: each thread has its own errno.
int *__errno_location(void) {
  return &__monabs_errno;
}

// A lock that is free or taken. `mine` says whether this thread has it: with any number of threads there are no numbers to
// store as the owner. Only checks read `mine`, so that without them only `locked` remains.
// `destroyed` is what initialisation and destruction write, as accesses of the user's, and what each use reads.
struct __monabs_lock {
  _Bool locked;
  _Bool destroyed;
  _Thread_local _Bool mine;
};

// Exact: the lock is free. Nobody may use it at the same time, so that no other thread's `mine` needs a reset. Who holds it must not: a violation. A lock that another
// thread holds cannot be told from memory with any content, but that thread will find it unlocked.
static void __monabs_lock_init(struct __monabs_lock *lock) {
  __monabs_check("mutex", !lock->mine, "a lock is initialised that this thread holds");
  __monabs_store_flag(&lock->destroyed, 0);
  __CPROVER_atomic_begin();
  lock->locked = 0;
  lock->mine = 0;
  __CPROVER_atomic_end();
}

// Whoever uses a lock that was destroyed violates the check, until it is initialised again. To use it while somebody initialises or destroys it is a data race.
static void __monabs_use(const _Bool *destroyed) {
  if (__monabs_races()) {
    __monabs_look_at_flag(destroyed);
  }
  __monabs_is_kept(destroyed);
}

// The end of a lock: who destroys it twice uses it.
static void __monabs_destroy(_Bool *destroyed) {
  __monabs_use(destroyed);
  __monabs_store_flag(destroyed, 1);
}

// Exact: one step at a time when the lock is free. Who has it already waits for ever: a violation. The caller says __monabs_wait.
static void __monabs_lock_take(struct __monabs_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", !lock->mine, "double lock: the thread already holds this lock");
  __CPROVER_assume(!lock->locked);
  lock->locked = 1;
  lock->mine = 1;
  __CPROVER_atomic_end();
}

// Exact, like __monabs_lock_take.
static void __monabs_lock_acquire(struct __monabs_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_wait(lock->locked);
  __monabs_lock_take(lock);
  __CPROVER_atomic_end();
}

// Over-approximated where data races are looked for: to be refused a lock orders nothing, so that what follows may come before what its holder did until then.
// As if it was refused for no reason. Else exact: 0.
static _Bool __monabs_refused(void) {
  if (__monabs_races() && __monabs_nondet_bool()) {
    __monabs_approximate("to be refused a lock does not order memory: what comes after it is looked at as if the lock was refused at any time");
    return 1;
  }
  return 0;
}

// Exact: takes the lock if it is free, else says no, in one step; see __monabs_refused.
static _Bool __monabs_lock_try(struct __monabs_lock *lock) {
  _Bool taken;
  __CPROVER_atomic_begin();
  taken = !lock->locked && !__monabs_refused();
  if (taken) {
    lock->locked = 1;
    lock->mine = 1;
  }
  __CPROVER_atomic_end();
  return taken;
}

// Exact: takes the lock when it is free, or gives up if it was taken on entry. To give up is one step: what happens until the
// time is over happens while this thread stands behind that step. With a time that is none it does not wait.
static _Bool __monabs_lock_timed(struct __monabs_lock *lock, _Bool waits) {
  _Bool taken;
  __CPROVER_atomic_begin();
  taken = !((lock->locked && (!waits || __monabs_nondet_bool())) || __monabs_refused());
  if (taken) {
    __CPROVER_assume(!lock->locked);
    lock->locked = 1;
    lock->mine = 1;
  }
  __CPROVER_atomic_end();
  return taken;
}

// Exact for a lock that this thread holds; else a violation. Without the check the lock becomes free, as in most systems.
static void __monabs_lock_release(struct __monabs_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", lock->locked, "unlock of a lock that is not locked");
  __monabs_check("mutex", lock->mine, "unlock of a lock that another thread holds");
  lock->locked = 0;
  lock->mine = 0;
  __CPROVER_atomic_end();
}

// A lock with one of four behaviours for a thread that already holds it: 0 and 3 wait for ever, 1 counts (recursive),
// 2 returns an error. The numbers are those of Linux. `depth` counts the locks beyond the first; only the holder uses it.
// It is as large as the system's, here and in other files: programs may ask for the size.
struct __monabs_mutex {
  struct __monabs_lock lock;
  int kind;
  unsigned depth;
  unsigned long rest[3];
};

// Exact.
static void __monabs_mutex_init(struct __monabs_mutex *mutex, int kind) {
  __monabs_lock_init(&mutex->lock);
  __CPROVER_atomic_begin();
  mutex->kind = kind;
  mutex->depth = 0;
  __CPROVER_atomic_end();
}

// Exact: one level deeper, or 11 (EAGAIN) at the largest depth. The caller holds the mutex.
static int __monabs_mutex_deepen(struct __monabs_mutex *mutex) {
  if (mutex->depth == (unsigned)-1) {
    return 11;
  }
  mutex->depth = mutex->depth + 1;
  return 0;
}

// Exact: one step. 35 (EDEADLK) if an error-checking mutex is already held by this thread.
static int __monabs_mutex_lock(struct __monabs_mutex *mutex) {
  int result = 0;
  __CPROVER_atomic_begin();
  __monabs_wait(mutex->lock.locked && !((mutex->kind == 1 || mutex->kind == 2) && mutex->lock.mine));
  if (mutex->kind == 1 && mutex->lock.mine) {
    result = __monabs_mutex_deepen(mutex);
  } else if (mutex->kind == 2 && mutex->lock.mine) {
    result = 35;
  } else {
    __monabs_lock_take(&mutex->lock);
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact: one step, 16 (EBUSY) if taken; a holder of a recursive mutex goes one level deeper.
static int __monabs_mutex_trylock(struct __monabs_mutex *mutex) {
  int result = 0;
  __CPROVER_atomic_begin();
  if (mutex->kind == 1 && mutex->lock.mine) {
    result = __monabs_mutex_deepen(mutex);
  } else if (!__monabs_lock_try(&mutex->lock)) {
    result = 16;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact up to the clock: 110 (ETIMEDOUT) may be returned whenever the mutex was taken on entry, also by this thread. Whoever gives no time that one can wait for
// gets 22 (EINVAL) then.
static int __monabs_mutex_timedlock(struct __monabs_mutex *mutex, _Bool waits) {
  int result = 0;
  __CPROVER_atomic_begin();
  if (mutex->kind == 1 && mutex->lock.mine) {
    result = __monabs_mutex_deepen(mutex);
  } else if (mutex->kind == 2 && mutex->lock.mine) {
    result = 35;
  } else if (!__monabs_lock_timed(&mutex->lock, waits)) {
    result = waits ? 110 : 22;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact: one step. Recursive and error-checking mutexes return 1 (EPERM) to who does not hold them; for others that is a
// violation.
static int __monabs_mutex_unlock(struct __monabs_mutex *mutex) {
  int result = 0;
  __CPROVER_atomic_begin();
  if ((mutex->kind == 1 || mutex->kind == 2) && !mutex->lock.mine) {
    result = 1;
  } else if (mutex->kind == 1 && mutex->depth > 0) {
    mutex->depth = mutex->depth - 1;
  } else {
    __monabs_lock_release(&mutex->lock);
  }
  __CPROVER_atomic_end();
  return result;
}

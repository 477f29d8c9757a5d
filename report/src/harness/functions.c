
/* The library. With the token: waits for the turn of a call; it is kept until `returned`. */
static const struct harness_item *called(const char *function) {
  if (!self)
    return 0;
  __real_pthread_mutex_lock(&token);
  if (self->position == NO_ITEM)
    stay();
  const struct harness_item *item = &harness_items[self->position];
  if (item->kind != HARNESS_CALL || strcmp(item->name, function)) {
    char what[200];
    snprintf(what, sizeof what, "thread %d calls %s, where the schedule has: %s %s", self->number, function, shown(item),
             item->name);
    diverge(what);
  }
  return turn();
}

static void awake(const char *function) {
  if (self->position == NO_ITEM)
    stay();
  const struct harness_item *item = &harness_items[self->position];
  if (item->kind != HARNESS_AWAKE || strcmp(item->name, function))
    diverge("a thread that waits goes on in another way");
  turn();
}

static void returned(void) {
  if (self)
    __real_pthread_mutex_unlock(&token);
}

/* Who holds a lock: for messages, and for locks that only this file knows. */
static struct lock {
  const volatile void *address;
  int owner, depth;
} locks[MOST];

static struct lock *lock_at(const volatile void *address) {
  struct lock *lock = locks;
  while (lock->address && lock->address != address)
    lock++;
  if (!lock->address)
    *lock = (struct lock){address, -1, 0};
  return lock;
}

static void *run(void *argument) {
  self = argument;
  __real_pthread_mutex_lock(&token);
  if (self->position == NO_ITEM)
    stay();
  turn();
  __real_pthread_mutex_unlock(&token);
  void *result = self->function(self->argument);
  __real_pthread_mutex_lock(&token);
  finish();
  __real_pthread_mutex_unlock(&token);
  return result;
}

int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  const struct harness_item *item = called("pthread_create");
  static int spare = MOST;
  int number = item->child >= 0 ? item->child : --spare;
  struct thread *child = &threads[number];
  *child = (struct thread){.number = number, .position = next_item(number, 0), .function = function, .argument = argument};
  int result = __real_pthread_create(handle, attributes, run, child);
  returned();
  return result;
}

int __wrap_pthread_join(pthread_t thread, void **result) {
  called("pthread_join");
  returned();
  return __real_pthread_join(thread, result);
}

void __wrap_pthread_exit(void *result) {
  __real_pthread_mutex_lock(&token);
  finish();
  __real_pthread_mutex_unlock(&token);
  __real_pthread_exit(result);
}

void __wrap_exit(int status) {
  (void)status;
  __real_pthread_mutex_lock(&token);
  stay();
}

/* Mutexes are the real ones; that they are free when it is the thread's turn is what the schedule promises. */
static void take(pthread_mutex_t *mutex) {
  struct lock *lock = lock_at(mutex);
  int result = __real_pthread_mutex_trylock(mutex);
  if (result == EBUSY) {
    if (lock->owner == self->number) {
      __real_pthread_mutex_unlock(&token);
      fail("mutex", 0, "a thread locks a mutex that it holds");
    }
    diverge("a mutex is taken");
  }
  lock->owner = self->number;
  lock->depth++;
}

static int give(pthread_mutex_t *mutex) {
  struct lock *lock = lock_at(mutex);
  if (lock->depth == 0 || lock->owner != self->number) {
    __real_pthread_mutex_unlock(&token);
    fail("mutex", 0, lock->depth == 0 ? "a thread unlocks a mutex that is not locked" : "a thread unlocks a mutex that another one holds");
  }
  lock->depth--;
  return __real_pthread_mutex_unlock(mutex);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
  called("pthread_mutex_lock");
  take(mutex);
  returned();
  return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex) {
  called("pthread_mutex_trylock");
  int result = __real_pthread_mutex_trylock(mutex);
  if (result == 0) {
    lock_at(mutex)->owner = self->number;
    lock_at(mutex)->depth++;
  }
  returned();
  return result;
}

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
  (void)time;
  const struct harness_item *item = called("pthread_mutex_timedlock");
  if (item->result == 0)
    take(mutex);
  returned();
  return (int)item->result;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex) {
  called("pthread_mutex_unlock");
  int result = give(mutex);
  returned();
  return result;
}

/* A waiting thread may wake up at any time, and does so when the schedule says it. */
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  (void)condition;
  called("pthread_cond_wait");
  give(mutex);
  awake("pthread_cond_wait");
  take(mutex);
  returned();
  return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  (void)condition, (void)time;
  int result = (int)called("pthread_cond_timedwait")->result;
  give(mutex);
  awake("pthread_cond_timedwait");
  take(mutex);
  returned();
  return result;
}

int __wrap_pthread_cond_signal(pthread_cond_t *condition) {
  (void)condition;
  called("pthread_cond_signal");
  returned();
  return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition) {
  (void)condition;
  called("pthread_cond_broadcast");
  returned();
  return 0;
}

/* Calls that must succeed at once when it is their turn, by way of one that does not wait. */
#define AT_ONCE(NAME, TYPE, TRY) \
  int __wrap_##NAME(TYPE *object) { \
    called(#NAME); \
    int result = TRY(object); \
    if (result != 0) \
      diverge(#NAME " would have to wait"); \
    returned(); \
    return 0; \
  }
/* Calls that do not wait. */
#define DIRECT(NAME, TYPE) \
  int __real_##NAME(TYPE *); \
  int __wrap_##NAME(TYPE *object) { \
    called(#NAME); \
    int result = __real_##NAME(object); \
    returned(); \
    return result; \
  }
DIRECT(pthread_rwlock_tryrdlock, pthread_rwlock_t)
DIRECT(pthread_rwlock_trywrlock, pthread_rwlock_t)
DIRECT(pthread_rwlock_unlock, pthread_rwlock_t)
AT_ONCE(pthread_rwlock_rdlock, pthread_rwlock_t, __real_pthread_rwlock_tryrdlock)
AT_ONCE(pthread_rwlock_wrlock, pthread_rwlock_t, __real_pthread_rwlock_trywrlock)
int __real_pthread_spin_trylock(pthread_spinlock_t *);
int __real_pthread_spin_unlock(pthread_spinlock_t *);
int __wrap_pthread_spin_trylock(pthread_spinlock_t *lock) {
  called("pthread_spin_trylock");
  int result = __real_pthread_spin_trylock(lock);
  returned();
  return result;
}
int __wrap_pthread_spin_lock(pthread_spinlock_t *lock) {
  called("pthread_spin_lock");
  if (__real_pthread_spin_trylock(lock) != 0)
    diverge("a spin lock is taken");
  returned();
  return 0;
}
int __wrap_pthread_spin_unlock(pthread_spinlock_t *lock) {
  called("pthread_spin_unlock");
  int result = __real_pthread_spin_unlock(lock);
  returned();
  return result;
}
DIRECT(sem_trywait, sem_t)
DIRECT(sem_post, sem_t)
AT_ONCE(sem_wait, sem_t, __real_sem_trywait)

/* Whoever is the last to come is decided by the schedule; so is who is told so. */
int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier) {
  (void)barrier;
  int result = (int)called("pthread_barrier_wait")->result;
  awake("pthread_barrier_wait");
  returned();
  return result;
}

/* Locks of kernels are only known here: a lock is its address, and who holds it. */
static void virtual_take(const char *function, volatile void *address) {
  called(function);
  struct lock *lock = lock_at(address);
  if (lock->depth > 0) {
    if (lock->owner == self->number) {
      __real_pthread_mutex_unlock(&token);
      fail("mutex", 0, "a thread locks a mutex that it holds");
    }
    diverge("a lock is taken");
  }
  lock->owner = self->number, lock->depth = 1;
  returned();
}

static void virtual_give(struct lock *lock) {
  if (lock->depth == 0 || lock->owner != self->number) {
    __real_pthread_mutex_unlock(&token);
    fail("mutex", 0, "a thread unlocks a mutex that it does not hold");
  }
  lock->depth = 0;
}

static void virtual_release(const char *function, volatile void *address) {
  called(function);
  virtual_give(lock_at(address));
  returned();
}

static int virtual_try(const char *function, volatile void *address) {
  called(function);
  struct lock *lock = lock_at(address);
  int free = lock->depth == 0;
  if (free)
    lock->owner = self->number, lock->depth = 1;
  returned();
  return free;
}

static int virtual_owned(volatile void *address) {
  struct lock *lock = lock_at(address);
  return lock->depth > 0 && lock->owner == self->number;
}

static void virtual_wait(const char *function, volatile void *mutex) {
  called(function);
  virtual_give(lock_at(mutex));
  awake(function);
  struct lock *lock = lock_at(mutex);
  if (lock->depth > 0)
    diverge("a lock is taken");
  lock->owner = self->number, lock->depth = 1;
  returned();
}

static void virtual_call(const char *function) {
  called(function);
  returned();
}

#define WEAK __attribute__((weak))
WEAK void mutex_enter(void *mutex) { virtual_take("mutex_enter", mutex); }
WEAK void mutex_exit(void *mutex) { virtual_release("mutex_exit", mutex); }
WEAK int mutex_tryenter(void *mutex) { return virtual_try("mutex_tryenter", mutex); }
WEAK int mutex_owned(void *mutex) { return virtual_owned(mutex); }
WEAK void mutex_init(void *mutex, ...) { (void)mutex; }
WEAK void mtx_init(void *mutex, ...) { (void)mutex; }
WEAK void mtx_lock(void *mutex) { virtual_take("mtx_lock", mutex); }
WEAK void mtx_unlock(void *mutex) { virtual_release("mtx_unlock", mutex); }
WEAK int mtx_trylock(void *mutex) { return virtual_try("mtx_trylock", mutex); }
WEAK int mtx_owned(void *mutex) { return virtual_owned(mutex); }
WEAK void cv_init(void *condition, ...) { (void)condition; }
WEAK void cv_wait(void *condition, void *mutex) { (void)condition, virtual_wait("cv_wait", mutex); }
WEAK void cv_signal(void *condition) { (void)condition, virtual_call("cv_signal"); }
WEAK void cv_broadcast(void *condition) { (void)condition, virtual_call("cv_broadcast"); }

static void too_long(int signal) {
  (void)signal;
  static const char text[] = "nothing happened for a long time\nNOT REPRODUCED\n";
  if (write(1, text, sizeof text - 1)) {}
  _exit(5);
}

int main(int count, char **arguments) {
  signal(SIGALRM, too_long);
  alarm(PATIENCE);
  self = &threads[0];
  self->position = next_item(0, 0);
  __real_pthread_mutex_lock(&token);
  turn();
  __real_pthread_mutex_unlock(&token);
  harness_start(count, arguments);
  __real_pthread_mutex_lock(&token);
  finish();
  stay();
}


/* Locks of kernels and of C11, which have names in common. They are only known here: a lock is its address, and who holds it. */
static int virtual_take(const char *function, volatile void *address) {
  called(function, address);
  struct lock *lock = lock_at(address);
  int is_mine = lock->depth > 0 && lock->owner == self->number;
  if (is_mine && !lock->recursive) {
    __real_pthread_mutex_unlock(&token);
    fail("mutex", 0, "a thread locks a mutex that it holds");
  }
  if (lock->depth > 0 && !is_mine)
    diverge("a lock is taken");
  lock->owner = self->number, lock->depth++;
  returned();
  return 0;
}

static void virtual_give(struct lock *lock) {
  if (lock->depth == 0 || lock->owner != self->number) {
    __real_pthread_mutex_unlock(&token);
    fail("mutex", 0, "a thread unlocks a mutex that it does not hold");
  }
  lock->depth--;
}

static int virtual_release(const char *function, volatile void *address) {
  called(function, address);
  virtual_give(lock_at(address));
  returned();
  return 0;
}

/* Whether it could be taken. */
static int virtual_try(const char *function, volatile void *address, int may_fail) {
  const struct harness_item *item = called(function, address);
  struct lock *lock = lock_at(address);
  int is_free = lock->depth == 0 || (lock->recursive && lock->owner == self->number);
  /* By the standard of C it may also fail for no reason. */
  if (may_fail && item->result != 0)
    is_free = 0;
  if (is_free)
    lock->owner = self->number, lock->depth++;
  returned();
  return is_free;
}

static int virtual_owned(volatile void *address) {
  struct lock *lock = lock_at(address);
  return lock->depth > 0 && lock->owner == self->number;
}

/* Returns what the schedule has. */
static int virtual_wait(const char *function, volatile void *condition, volatile void *mutex) {
  int result = (int)called(function, condition)->result;
  virtual_give(lock_at(mutex));
  self->condition = condition, self->called_for = mutex;
  awake(function);
  self->condition = 0;
  struct lock *lock = lock_at(mutex);
  if (lock->depth > 0 && lock->owner != self->number)
    diverge("a lock is taken");
  lock->owner = self->number, lock->depth++;
  returned();
  return result;
}

#define WEAK __attribute__((weak))
WEAK void mutex_enter(void *mutex) { virtual_take("mutex_enter", mutex); }
WEAK void mutex_exit(void *mutex) { virtual_release("mutex_exit", mutex); }
WEAK int mutex_tryenter(void *mutex) { return virtual_try("mutex_tryenter", mutex, 0); }
WEAK int mutex_owned(void *mutex) { return virtual_owned(mutex); }
WEAK void mutex_init(void *mutex, ...) { (void)mutex; }
WEAK int mtx_init(void *mutex, int type) {
  if (harness_c11)
    lock_at(mutex)->recursive = type & 1;
  return 0;
}
WEAK void mtx_destroy(void *mutex) { (void)mutex; }
WEAK int mtx_lock(void *mutex) { return virtual_take("mtx_lock", mutex); }
WEAK int mtx_unlock(void *mutex) { return virtual_release("mtx_unlock", mutex); }
/* In C 0 is success, in a kernel it is failure. */
WEAK int mtx_trylock(void *mutex) { return virtual_try("mtx_trylock", mutex, harness_c11) != harness_c11; }
WEAK int mtx_owned(void *mutex) { return virtual_owned(mutex); }
WEAK void cv_init(void *condition, ...) { (void)condition; }
WEAK void cv_wait(void *condition, void *mutex) { virtual_wait("cv_wait", condition, mutex); }
WEAK void cv_signal(void *condition) { signals("cv_signal", condition, 0); }
WEAK void cv_broadcast(void *condition) { signals("cv_broadcast", condition, 1); }

/* What only C11 has. Its threads are those of POSIX, whose function returns a number. */
WEAK int mtx_timedlock(void *mutex, const struct timespec *time) {
  (void)time;
  const struct harness_item *item = self->position == NO_ITEM ? 0 : &harness_items[self->position];
  if (item && item->result == 0)
    return virtual_take("mtx_timedlock", mutex);
  int result = (int)called("mtx_timedlock", mutex)->result;
  returned();
  return result;
}
WEAK int cnd_init(void *condition) { return (void)condition, 0; }
WEAK void cnd_destroy(void *condition) { (void)condition; }
WEAK int cnd_wait(void *condition, void *mutex) { return virtual_wait("cnd_wait", condition, mutex); }
WEAK int cnd_timedwait(void *condition, void *mutex, const struct timespec *time) {
  (void)time;
  return virtual_wait("cnd_timedwait", condition, mutex);
}
WEAK int cnd_signal(void *condition) { return signals("cnd_signal", condition, 0), 0; }
WEAK int cnd_broadcast(void *condition) { return signals("cnd_broadcast", condition, 1), 0; }
WEAK void call_once(void *flag, void (*function)(void)) { run_once("call_once", flag, function); }
WEAK int thrd_create(pthread_t *handle, int (*function)(void *), void *argument) {
  return create("thrd_create", handle, 0, 0, function, argument);
}
WEAK int thrd_join(pthread_t thread, int *result) {
  void *value = 0;
  int failed = join("thrd_join", thread, &value);
  if (result)
    *result = (int)(long)value;
  return failed;
}
WEAK void thrd_exit(int result) { __wrap_pthread_exit((void *)(long)result); }
WEAK void thrd_yield(void) {}
WEAK int thrd_sleep(const struct timespec *time, struct timespec *left) { return (void)time, (void)left, 0; }

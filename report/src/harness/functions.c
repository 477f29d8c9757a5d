
/* A call that gets a pointer to memory that is not there. */
static void check_call(const volatile void *object) {
  const char *what = is_goal("pointer") && fails_next() ? mistake(object) : 0;
  if (what)
    fail("pointer", 0, what);
}

/* This thread waits for what nobody will do. */
static void wait_for_ever(void) __attribute__((noreturn));
static void wait_for_ever(void) {
  turn();
  self->stuck = 1;
  stay();
}

/* The library. With the token: waits for the turn of a call; it is kept until `returned`. */
static const struct harness_item *called(const char *function, const volatile void *object) {
  if (!self)
    return 0;
  check_call(object);
  __real_pthread_mutex_lock(&token);
  self->call = function, self->called_for = object;
  if (self->position == NO_ITEM)
    stay();
  const struct harness_item *item = &harness_items[self->position];
  if (item->kind == HARNESS_STUCK && !strcmp(item->name, function))
    wait_for_ever();
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
  if (item->kind == HARNESS_STUCK && !strcmp(item->name, function))
    wait_for_ever();
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
  int owner, depth, recursive;
} locks[MOST];

static struct lock *lock_at(const volatile void *address) {
  struct lock *lock = locks;
  while (lock->address && lock->address != address)
    lock++;
  if (!lock->address)
    *lock = (struct lock){address, -1, 0, 0};
  return lock;
}

static void *run(void *argument) {
  self = argument;
  __real_pthread_mutex_lock(&token);
  if (self->position == NO_ITEM)
    stay();
  turn();
  __real_pthread_mutex_unlock(&token);
  void *result = self->number_function ? (void *)(long)self->number_function(self->argument) : self->function(self->argument);
  __real_pthread_mutex_lock(&token);
  finish();
  __real_pthread_mutex_unlock(&token);
  return result;
}

static int create(const char *caller, pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
                  int (*number_function)(void *), void *argument) {
  const struct harness_item *item = called(caller, 0);
  static int spare = MOST;
  int number = item->child >= 0 ? item->child : --spare;
  struct thread *child = &threads[number];
  *child = (struct thread){.number = number, .position = next_item(number, 0), .function = function,
                           .number_function = number_function, .argument = argument};
  created[thread_count++] = child;
  int result = __real_pthread_create(&child->handle, attributes, run, child);
  pthread_t made = child->handle;
  returned();
  /* Where it goes may be null, or shared memory: that is the program's business. */
  *handle = made;
  return result;
}

int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  return create("pthread_create", handle, attributes, function, 0, argument);
}

static int join(const char *caller, pthread_t thread, void **result) {
  called(caller, (const void *)thread);
  returned();
  return __real_pthread_join(thread, result);
}

int __wrap_pthread_join(pthread_t thread, void **result) { return join("pthread_join", thread, result); }

void __wrap_pthread_exit(void *result) {
  __real_pthread_mutex_lock(&token);
  finish();
  __real_pthread_mutex_unlock(&token);
  __real_pthread_exit(result);
}

/* The process ends, and threads with it. */
static void end_of_process(void) {
  if (is_goal("leak") && fails_next()) {
    __real_pthread_mutex_lock(&token);
    turn();
    __real_pthread_mutex_unlock(&token);
    look_for_leaks();
  }
}

void __wrap_exit(int status) {
  (void)status;
  end_of_process();
  __real_pthread_mutex_lock(&token);
  stay();
}

/* Time is not waited for. */
unsigned __wrap_sleep(unsigned seconds) { return (void)seconds, 0; }
int __wrap_usleep(unsigned time) { return (void)time, 0; }
static int is_time(const struct timespec *time) { return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
  (void)left;
  if (is_time(time))
    return 0;
  errno = EINVAL;
  return -1;
}
int __wrap_clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *left) {
  (void)clock, (void)flags, (void)left;
  return is_time(time) ? 0 : EINVAL;
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
  called("pthread_mutex_lock", mutex);
  take(mutex);
  returned();
  return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex) {
  called("pthread_mutex_trylock", mutex);
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
  const struct harness_item *item = called("pthread_mutex_timedlock", mutex);
  if (item->result == 0)
    take(mutex);
  returned();
  return (int)item->result;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex) {
  called("pthread_mutex_unlock", mutex);
  int result = give(mutex);
  returned();
  return result;
}

/* Calls that must succeed at once when it is their turn, by way of one that does not wait. */
#define AT_ONCE(NAME, TYPE, TRY) \
  int __wrap_##NAME(TYPE *object) { \
    called(#NAME, object); \
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
    called(#NAME, object); \
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
  called("pthread_spin_trylock", lock);
  int result = __real_pthread_spin_trylock(lock);
  returned();
  return result;
}
int __wrap_pthread_spin_lock(pthread_spinlock_t *lock) {
  called("pthread_spin_lock", lock);
  if (__real_pthread_spin_trylock(lock) != 0)
    diverge("a spin lock is taken");
  returned();
  return 0;
}
int __wrap_pthread_spin_unlock(pthread_spinlock_t *lock) {
  called("pthread_spin_unlock", lock);
  int result = __real_pthread_spin_unlock(lock);
  returned();
  return result;
}
DIRECT(sem_trywait, sem_t)
DIRECT(sem_post, sem_t)
AT_ONCE(sem_wait, sem_t, __real_sem_trywait)


/* Waiting for others: condition variables, barriers, one-time initialisation. */

/* Who is woken by a signal is decided when it is given: of those who wait the one that goes on first in the schedule. Threads may also wake up by themselves,
   and do so if the schedule says it. */
static void wake(const volatile void *condition, int all) {
  struct thread *first = 0;
  for (int i = 0; i < thread_count; i++) {
    struct thread *one = created[i];
    if (one->condition != condition)
      continue;
    if (all)
      one->condition = 0;
    else if (!first || one->position < first->position)
      first = one;
  }
  if (first && !all)
    first->condition = 0;
}

static void signals(const char *function, const volatile void *condition, int all) {
  called(function, condition);
  wake(condition, all);
  returned();
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  called("pthread_cond_wait", condition);
  give(mutex);
  self->condition = condition, self->called_for = mutex;
  awake("pthread_cond_wait");
  self->condition = 0;
  take(mutex);
  returned();
  return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  (void)time;
  int result = (int)called("pthread_cond_timedwait", condition)->result;
  give(mutex);
  self->condition = condition, self->called_for = mutex;
  awake("pthread_cond_timedwait");
  self->condition = 0;
  take(mutex);
  returned();
  return result;
}

int __wrap_pthread_cond_signal(pthread_cond_t *condition) {
  signals("pthread_cond_signal", condition, 0);
  return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition) {
  signals("pthread_cond_broadcast", condition, 1);
  return 0;
}

/* Whoever is told to be the last of a barrier is decided by the schedule. */
static struct barrier {
  const volatile void *address;
  unsigned count, arrived;
  int round;
} barriers[MOST];

static struct barrier *barrier_at(const volatile void *address) {
  struct barrier *barrier = barriers;
  while (barrier->address && barrier->address != address)
    barrier++;
  barrier->address = address;
  return barrier;
}

int __real_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __wrap_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  struct barrier *known_barrier = barrier_at(barrier);
  known_barrier->count = count, known_barrier->arrived = 0;
  return __real_pthread_barrier_init(barrier, attributes, count);
}

int __wrap_pthread_barrier_wait(pthread_barrier_t *address) {
  int result = (int)called("pthread_barrier_wait", address)->result;
  struct barrier *barrier = barrier_at(address);
  self->round = barrier->round;
  if (++barrier->arrived == barrier->count)
    barrier->arrived = 0, barrier->round++;
  awake("pthread_barrier_wait");
  if (barrier->round == self->round)
    diverge("a thread leaves a barrier before all have come");
  returned();
  return result;
}

/* One-time initialisation: who comes first runs the function, others find it done. */
static struct once {
  const volatile void *address;
  int state; /* 1 it is running, 2 it is done */
} onces[MOST];

static struct once *once_at(const volatile void *address) {
  struct once *once = onces;
  while (once->address && once->address != address)
    once++;
  once->address = address;
  return once;
}

static void run_once(const char *caller, const volatile void *control, void (*function)(void)) {
  called(caller, control);
  struct once *once = once_at(control);
  if (once->state == 1)
    diverge("the initialisation has not come to its end");
  int first = once->state == 0;
  if (first)
    once->state = 1;
  returned();
  if (first) {
    function();
    __real_pthread_mutex_lock(&token);
    once->state = 2;
    __real_pthread_mutex_unlock(&token);
  }
}

int __wrap_pthread_once(pthread_once_t *control, void (*function)(void)) {
  run_once("pthread_once", control, function);
  return 0;
}

/* Deadlocks: every thread has ended, or waits for what does not come. */

static int has_ended(const volatile void *handle) {
  for (int i = 0; i < thread_count; i++)
    if ((const void *)created[i]->handle == handle)
      return created[i]->finished;
  return 1;
}

/* Whether a thread that waits could go on after all. */
static int can_go_on(const struct thread *one) {
  const char *call = one->call;
  void *object = (void *)one->called_for;
  if (strstr(call, "join"))
    return has_ended(object);
  if (!strcmp(call, "pthread_barrier_wait"))
    return barrier_at(object)->round != one->round;
  if (!strcmp(call, "pthread_once") || !strcmp(call, "call_once"))
    return once_at(object)->state != 1;
  if (!strcmp(call, "sem_wait"))
    return __real_sem_trywait(object) == 0;
  if (!strcmp(call, "pthread_spin_lock"))
    return __real_pthread_spin_trylock(object) == 0;
  if (!strcmp(call, "pthread_rwlock_rdlock"))
    return __real_pthread_rwlock_tryrdlock(object) == 0;
  if (!strcmp(call, "pthread_rwlock_wrlock"))
    return __real_pthread_rwlock_trywrlock(object) == 0;
  /* A mutex, or a condition variable whose mutex has to be taken again. */
  return !one->condition && lock_at(object)->depth == 0;
}

static void look_for_deadlock(void) {
  int stuck = 0;
  for (int i = 0; i < thread_count; i++) {
    const struct thread *one = created[i];
    if (one->finished)
      continue;
    char what[200];
    snprintf(what, sizeof what, "thread %d can go on", one->number);
    if (!one->stuck || can_go_on(one))
      diverge(what);
    stuck++;
  }
  if (stuck == 0)
    diverge("all threads have ended");
  out(0, "reached: %s: no thread can go on, %d of %d wait for ever", harness_goal.property, stuck, thread_count);
}

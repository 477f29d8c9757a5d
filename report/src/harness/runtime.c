/* Runs a program with threads along a given schedule.

   The program is compiled with gcc -fsanitize=thread, which calls a function before each access to memory; these functions are defined here,
   and so are the functions of the library that threads wait in. Each of them asks the schedule whether it is this thread's turn. One thread
   runs at a time: from its turn to the place where the schedule has its next one. Memory that the schedule does not name is not looked at.

   Exit status: 0 the failure was reached along the whole schedule; 3 the program did not follow the schedule to its end; 4 it failed in another
   way; 5 nothing happened for a long time. */
#define _GNU_SOURCE
#include "harness.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ITEM 0x7fffffff
#define PATIENCE 20
#define MOST 4096

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_pthread_join(pthread_t, void **);
void __real_pthread_exit(void *) __attribute__((noreturn));
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);

/* A thread of the schedule. */
struct thread {
  int number;
  int position;    /* the number of its next item */
  int executing;   /* it has the turn */
  int finished;
  int section;     /* depth of atomic sections; 0 outside */
  int in_turn;     /* whether the section had its turn */
  int input;       /* the next input to look at */
  void *(*function)(void *);
  void *argument;
  const volatile char *at; /* what it was about to access when it had no item left */
  unsigned size;
  int writes, atomic;
};

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int now;
static struct thread threads[MOST];
static __thread struct thread *self;

static void out(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

static void out(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n%s\n", status == 0 ? "REPRODUCED" : "NOT REPRODUCED");
  fflush(stdout);
  _exit(status);
}

static const char *shown(const struct harness_item *item) {
  static const char *const words[] = {"starts", "reads", "writes", "reads and writes", "calls", "goes on in"};
  return words[item->kind];
}

static void say(int number) {
  const struct harness_item *item = &harness_items[number];
  printf("%4d thread %d %s %s", number + 1, item->thread, shown(item), item->name);
  printf(item->text[0] ? "   %s\n" : "\n", item->text);
}

static int next_item(int thread, int from) {
  while (from < harness_item_count && harness_items[from].thread != thread)
    from++;
  return from < harness_item_count ? from : NO_ITEM;
}

static void diverge(const char *what) __attribute__((noreturn));
static void diverge(const char *what) {
  int at = now < harness_item_count ? now : harness_item_count - 1;
  out(3, "the program leaves the schedule at step %d of %d: %s", at + 1, harness_item_count, what);
}

/* Two threads about to access the same memory, one of them to write it. */
static void look_for_race(void) {
  for (int one = 0; one < harness_thread_count; one++)
    for (int other = 0; other < one; other++) {
      struct thread *a = &threads[one], *b = &threads[other];
      if (a->at && b->at && a->at < b->at + b->size && b->at < a->at + a->size && (a->writes || b->writes) &&
          !(a->atomic && b->atomic))
        out(0, "reached: %s: threads %d and %d are about to access the same memory", harness_goal.property, b->number,
            a->number);
    }
}

static void nothing_left(void) {
  if (!strcmp(harness_goal.kind, "data-race"))
    look_for_race();
  diverge("all its steps were done, but the failure did not come");
}

/* The thread has done what it had the turn for. */
static void leave_turn(void) {
  if (self->executing) {
    self->executing = 0;
    now++;
    if (now == harness_item_count)
      nothing_left();
    __real_pthread_cond_broadcast(&moved);
  }
}

/* Waits for ever: this thread does no more in the run. */
static void stay(void) __attribute__((noreturn));
static void stay(void) {
  if (self->position != NO_ITEM)
    diverge("a thread waits that has steps left");
  leave_turn();
  for (;;)
    __real_pthread_cond_wait(&moved, &token);
}

/* Waits for the turn of the thread's next item. */
static const struct harness_item *turn(void) {
  int mine = self->position;
  leave_turn();
  while (now != mine)
    __real_pthread_cond_wait(&moved, &token);
  self->executing = 1;
  self->position = next_item(self->number, mine + 1);
  say(mine);
  return &harness_items[mine];
}

static void finish(void) {
  if (self->position != NO_ITEM)
    diverge("a thread ends that has steps left");
  self->finished = 1;
  leave_turn();
}

/* Failures. */

static void fail(const char *kind, int line, const char *what) __attribute__((noreturn));
static void fail(const char *kind, int line, const char *what) {
  if (self)
    __real_pthread_mutex_lock(&token);
  int same_kind = !strcmp(kind, harness_goal.kind) || (!strcmp(kind, "abort") && !strcmp(harness_goal.kind, "error-function"));
  int same_line = line == 0 || harness_goal.line == 0 || line == harness_goal.line ||
                  !strcmp(harness_goal.kind, "error-function");
  if (!same_kind || !same_line)
    out(4, "another failure: %s in line %d: %s", kind, line, what);
  if (now != harness_item_count - 1)
    diverge("the failure comes early");
  if (!self || (harness_goal.thread >= 0 && self->number != harness_goal.thread))
    diverge("the failure comes in another thread");
  if (line)
    out(0, "reached: %s: line %d, thread %d: %s", harness_goal.property, line, self->number, what);
  out(0, "reached: %s: thread %d: %s", harness_goal.property, self->number, what);
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  char what[400];
  snprintf(what, sizeof what, "assertion `%s` does not hold in %s (%s)", text, function ? function : "?", file);
  fail("assertion", (int)line, what);
}

__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition)
    fail("assertion", 0, "__VERIFIER_assert does not hold");
}
__attribute__((weak)) void __CPROVER_assert(int condition, const char *text) {
  if (!condition)
    fail("assertion", 0, text);
}
__attribute__((weak)) void __VERIFIER_error(void) { fail("error-function", 0, "__VERIFIER_error is called"); }
__attribute__((weak)) void reach_error(void) { fail("error-function", 0, "reach_error is called"); }
void __wrap_abort(void) { fail("abort", 0, "the program aborts"); }

/* Run-time checks of gcc; what they are given starts with the place. */
struct place {
  const char *file;
  unsigned line, column;
};
#define CHECK(NAME, KIND, TEXT) \
  void __ubsan_handle_##NAME(struct place *place, ...) { fail(KIND, (int)place->line, TEXT); } \
  void __ubsan_handle_##NAME##_abort(struct place *place, ...) { fail(KIND, (int)place->line, TEXT); }
CHECK(out_of_bounds, "bounds", "an index is out of bounds")
CHECK(divrem_overflow, "division-by-zero", "a division by zero")
CHECK(shift_out_of_bounds, "shift", "a shift by a wrong amount")
CHECK(add_overflow, "overflow", "a sum does not fit")
CHECK(sub_overflow, "overflow", "a difference does not fit")
CHECK(mul_overflow, "overflow", "a product does not fit")
CHECK(negate_overflow, "overflow", "a negated number does not fit")

/* Memory. */

static struct block {
  const volatile char *begin, *end;
} blocks[MOST];
static int block_count;

static void *allocated(void *memory, size_t size) {
  if (memory && block_count < MOST)
    blocks[block_count++] = (struct block){memory, (char *)memory + size};
  return memory;
}
void *__wrap_malloc(size_t size) { return allocated(__real_malloc(size), size); }
void *__wrap_calloc(size_t count, size_t size) { return allocated(__real_calloc(count, size), count * size); }
/* Nothing is given back, so that addresses stay what they are. */
void __wrap_free(void *memory) { (void)memory; }

/* The name of the memory at an address in the schedule, or null. */
static const char *name_of(const volatile char *address) {
  for (int i = 0; i < harness_object_count; i++) {
    const volatile char *begin = harness_objects[i].address;
    if (address >= begin && address < begin + harness_objects[i].size)
      return harness_objects[i].name;
  }
  for (int i = 0; i < block_count; i++)
    if (address >= blocks[i].begin && address < blocks[i].end)
      return "(heap)";
  return 0;
}

static int names(const struct harness_item *item, const char *name) {
  size_t length = strlen(name);
  for (const char *at = item->name; (at = strstr(at, name)); at++)
    if ((at == item->name || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return 1;
  return 0;
}

/* Waits for the turn of an access. Returns what the schedule has for it, or null if it has nothing. */
static const struct harness_item *access_memory(const volatile void *address, unsigned size, int reads, int writes, int atomic) {
  const char *name = self ? name_of(address) : 0;
  if (!name || (self->section && self->in_turn))
    return 0;
  __real_pthread_mutex_lock(&token);
  if (self->position == NO_ITEM) {
    self->at = address, self->size = size, self->writes = writes, self->atomic = atomic;
    stay();
  }
  const struct harness_item *item = &harness_items[self->position];
  enum harness_kind kind = reads && writes ? HARNESS_BOTH : writes ? HARNESS_WRITE : HARNESS_READ;
  if ((item->kind != kind && item->kind != HARNESS_BOTH) || !names(item, name)) {
    char what[200];
    snprintf(what, sizeof what, "thread %d %s %s, where the schedule has: %s %s", self->number, writes ? "writes" : "reads", name,
             shown(item), item->name);
    diverge(what);
  }
  turn();
  self->in_turn = 1;
  __real_pthread_mutex_unlock(&token);
  return item;
}

#define PLAIN(N) \
  void __tsan_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_write##N(void *address) { access_memory(address, N, 0, 1, 0); } \
  void __tsan_volatile_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_volatile_write##N(void *address) { access_memory(address, N, 0, 1, 0); } \
  void __tsan_unaligned_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_unaligned_write##N(void *address) { access_memory(address, N, 0, 1, 0); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void __tsan_read_range(void *address, unsigned long size) { access_memory(address, size, 1, 0, 0); }
void __tsan_write_range(void *address, unsigned long size) { access_memory(address, size, 0, 1, 0); }
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(BITS, TYPE, NAME) \
  TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 1, 1); \
    return __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST); \
  }
/* A weak exchange may fail without a reason, and does if the schedule says so. */
#define SWAP(BITS, TYPE, NAME, WEAK) \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile TYPE *a, TYPE *old, TYPE v, int order, int failure) { \
    (void)order, (void)failure; \
    const struct harness_item *item = access_memory(a, sizeof *a, 1, 1, 1); \
    if (WEAK && item && item->result == 0) { \
      *old = __atomic_load_n(a, __ATOMIC_SEQ_CST); \
      return 0; \
    } \
    return __atomic_compare_exchange_n(a, old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
#define ATOMIC(BITS, TYPE) \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE *a, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 0, 1); \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
  } \
  void __tsan_atomic##BITS##_store(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 0, 1, 1); \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST); \
  } \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 1, 1); \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST); \
  } \
  FETCH(BITS, TYPE, add) \
  FETCH(BITS, TYPE, sub) \
  FETCH(BITS, TYPE, and) \
  FETCH(BITS, TYPE, or) \
  FETCH(BITS, TYPE, xor) \
  FETCH(BITS, TYPE, nand) \
  SWAP(BITS, TYPE, strong, 0) \
  SWAP(BITS, TYPE, weak, 1)
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

/* Atomic sections: the first access to shared memory waits for the turn, the others belong to it. */
static void begin_section(void) {
  if (self->section++ == 0)
    self->in_turn = 0;
}
static void end_section(void) { self->section--; }
void __VERIFIER_atomic_begin(void) { begin_section(); }
void __VERIFIER_atomic_end(void) { end_section(); }
void __CPROVER_atomic_begin(void) { begin_section(); }
void __CPROVER_atomic_end(void) { end_section(); }

/* Input. */

static unsigned long long input(void) {
  while (self->input < harness_input_count && harness_inputs[self->input].thread != self->number)
    self->input++;
  return self->input < harness_input_count ? harness_inputs[self->input++].value : 0;
}
#define NONDET(NAME, TYPE) \
  __attribute__((weak)) TYPE __VERIFIER_nondet_##NAME(void) { return (TYPE)input(); }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(size_t, unsigned long)
NONDET(pointer, void *)

int __wrap_rand(void) { return (int)input(); }

static void assume(int condition) {
  if (!condition) {
    __real_pthread_mutex_lock(&token);
    if (self->position != NO_ITEM)
      diverge("an assumption does not hold");
    stay();
  }
}
__attribute__((weak)) void __VERIFIER_assume(int condition) { assume(condition); }
__attribute__((weak)) void __CPROVER_assume(int condition) { assume(condition); }
__attribute__((weak)) void assume_abort_if_not(int condition) { assume(condition); }
__attribute__((weak)) void __CPROVER_predicate(int condition) { (void)condition; }
__attribute__((weak)) int __CPROVER_passive(int variable) { return variable; }

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

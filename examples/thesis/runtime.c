// Makes the programs run: link this file with any one of them.
//   cc -std=c11 -pthread 01-inc-l.c runtime.c -o inc && ./inc
// The environment variable SEED chooses other values. A run shows one schedule of a few threads: that it ends with 0 proves
// nothing. It ends a moment after main does, and after three seconds in any case: threads may wait for ever.
#define FREEBSD
#include "kernel.h"
#undef FREEBSD
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t draw_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long draw_state = 1;

// A number of 64 bits: steps of a Weyl sequence, mixed.
static unsigned long long draw(void) {
  pthread_mutex_lock(&draw_lock);
  draw_state += 0x9e3779b97f4a7c15u;
  unsigned long long number = draw_state;
  pthread_mutex_unlock(&draw_lock);
  number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
  number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
  return number ^ number >> 32;
}

_Bool __VERIFIER_nondet_bool(void) { return draw() % 4 != 0; }
char __VERIFIER_nondet_char(void) { return (char)draw(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)draw(); }
short __VERIFIER_nondet_short(void) { return (short)draw(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)draw(); }
int __VERIFIER_nondet_int(void) { return (int)draw(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)draw(); }
long __VERIFIER_nondet_long(void) { return (long)draw(); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)draw(); }

// One recursive lock for all atomic sections.
static pthread_mutex_t atomic_lock;
static _Thread_local unsigned atomic_depth;

void __VERIFIER_atomic_begin(void) {
  pthread_mutex_lock(&atomic_lock);
  atomic_depth++;
}

void __VERIFIER_atomic_end(void) {
  atomic_depth--;
  pthread_mutex_unlock(&atomic_lock);
}

void __CPROVER_atomic_begin(void) { __VERIFIER_atomic_begin(); }
void __CPROVER_atomic_end(void) { __VERIFIER_atomic_end(); }

void __VERIFIER_assume(int condition) {
  if (!condition) {
    while (atomic_depth > 0)
      __VERIFIER_atomic_end();
    pthread_exit(0);
  }
}

void __CPROVER_assume(int condition) { __VERIFIER_assume(condition); }

static void violated(const char *text) {
  fprintf(stderr, "violated: %s\n", text);
  fflush(0);
  _Exit(1);
}

void __VERIFIER_assert(int condition) {
  if (!condition)
    violated("assertion");
}

void __CPROVER_assert(int condition, const char *text) {
  if (!condition)
    violated(text);
}

void __VERIFIER_error(void) { violated("error function reached"); }
void reach_error(void) { violated("error function reached"); }

void __CPROVER_predicate(int condition) { (void)condition; }
int __CPROVER_passive(int variable) { return variable; }

// Kernels. The address of `self` names the thread.
static _Thread_local char self;

void mtx_init(struct mtx *mutex, const char *name, const char *type, int options) {
  (void)name, (void)type, (void)options;
  pthread_mutex_init(&mutex->mutex, 0);
  atomic_store(&mutex->owner, 0);
}

void mtx_lock(struct mtx *mutex) {
  pthread_mutex_lock(&mutex->mutex);
  atomic_store(&mutex->owner, &self);
}

int mtx_trylock(struct mtx *mutex) {
  if (pthread_mutex_trylock(&mutex->mutex) != 0)
    return 0;
  atomic_store(&mutex->owner, &self);
  return 1;
}

void mtx_unlock(struct mtx *mutex) {
  if (!mtx_owned(mutex))
    violated("unlock of a mutex that the thread does not hold");
  atomic_store(&mutex->owner, 0);
  pthread_mutex_unlock(&mutex->mutex);
}

int mtx_owned(struct mtx *mutex) { return atomic_load(&mutex->owner) == &self; }

void mutex_init(struct mtx *mutex, ...) { mtx_init(mutex, 0, 0, 0); }
void mutex_enter(struct mtx *mutex) { mtx_lock(mutex); }
int mutex_tryenter(struct mtx *mutex) { return mtx_trylock(mutex); }
void mutex_exit(struct mtx *mutex) { mtx_unlock(mutex); }
int mutex_owned(struct mtx *mutex) { return mtx_owned(mutex); }

void cv_init(struct cv *condition, const char *name) {
  (void)name;
  pthread_mutex_init(&condition->mutex, 0);
  pthread_cond_init(&condition->condition, 0);
  condition->wakes = 0;
}

void cv_wait(struct cv *condition, struct mtx *mutex) {
  pthread_mutex_lock(&condition->mutex);
  unsigned long found = condition->wakes;
  mtx_unlock(mutex);
  while (condition->wakes == found)
    pthread_cond_wait(&condition->condition, &condition->mutex);
  pthread_mutex_unlock(&condition->mutex);
  mtx_lock(mutex);
}

void cv_signal(struct cv *condition) {
  pthread_mutex_lock(&condition->mutex);
  condition->wakes++;
  pthread_cond_signal(&condition->condition);
  pthread_mutex_unlock(&condition->mutex);
}

void cv_broadcast(struct cv *condition) {
  pthread_mutex_lock(&condition->mutex);
  condition->wakes++;
  pthread_cond_broadcast(&condition->condition);
  pthread_mutex_unlock(&condition->mutex);
}

// The other threads go on while main's exit waits.
static void let_others_run(void) {
  struct timespec moment = {0, 100 * 1000 * 1000};
  nanosleep(&moment, 0);
  _Exit(0);
}

static void time_over(int signal) {
  (void)signal;
  _Exit(0);
}

__attribute__((constructor)) static void start(void) {
  const char *seed = getenv("SEED");
  draw_state = seed ? strtoull(seed, 0, 10) : 1;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&atomic_lock, &recursive);
  atexit(let_others_run);
  signal(SIGALRM, time_over);
  alarm(3);
}

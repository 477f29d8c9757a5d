// EXPECT: safe
// RW-LOCK: a lock that many readers or one writer hold; here one thread reads and one writes, as often as they like.
// Origin: Gupta, Popeea and Rybalchenko, Predicate abstraction and refinement for verifying multi-threaded programs (2011).
// `r` counts the readers that are inside, `w` says that a writer is; to enter is one step, to leave is one too.
// Asserted: no write happens while a reader is inside: what it copied from `x` to `y` is still in `x`.
// Twin: the writer waits for the readers before the step in which it enters.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int w, r;
static unsigned x, y;

static _Bool try_write_lock(void) {
  _Bool entered = 0;
  __VERIFIER_atomic_begin();
  if (atomic_load(&w) == 0 && atomic_load(&r) == 0) {
    atomic_store(&w, 1);
    entered = 1;
  }
  __VERIFIER_atomic_end();
  return entered;
}

static _Bool try_read_lock(void) {
  _Bool entered = 0;
  __VERIFIER_atomic_begin();
  if (atomic_load(&w) == 0) {
    atomic_fetch_add(&r, 1);
    entered = 1;
  }
  __VERIFIER_atomic_end();
  return entered;
}

static void write_unlock(void) { atomic_store(&w, 0); }

static void read_unlock(void) { atomic_fetch_sub(&r, 1); }

static void *writer(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool()) {
    while (!try_write_lock()) {
    }
    x = __VERIFIER_nondet_uint();
    write_unlock();
  }
  return 0;
}

static void look(void) {
  while (!try_read_lock()) {
  }
  y = x;
  assert(y == x);
  read_unlock();
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, writer, 0);
  while (__VERIFIER_nondet_bool())
    look();
  return 0;
}

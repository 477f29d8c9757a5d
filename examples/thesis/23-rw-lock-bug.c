// EXPECT: unsafe
// RW-LOCK, buggy twin of 23-rw-lock.c: a lock that many readers or one writer hold; here one thread reads and one writes.
// The mistake: the writer looks for readers outside of the atomic section in which it enters. A reader may come in between.
// Asserted: no write happens while a reader is inside, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int w, r;
static unsigned x, y;

static _Bool try_write_lock(void) {
  _Bool entered = 0;
  __VERIFIER_atomic_begin();
  if (atomic_load(&w) == 0) {
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
    while (atomic_load(&r) != 0 || !try_write_lock()) {
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

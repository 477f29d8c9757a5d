// EXPECT: safe
// Test-and-test-and-set lock: look until the lock is free, and only then try to take it.
// Source: Rudolph and Segall, "Dynamic decentralized cache schemes for MIMD parallel processors" (ISCA 1984).
// Asserted: only one thread is inside.
// The twin ttas-bug.c takes the lock without a test when it has seen it free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool taken;
static int inside;

static void acquire(void) {
  do {
    while (atomic_load_explicit(&taken, memory_order_relaxed)) {
    }
  } while (atomic_exchange_explicit(&taken, true, memory_order_acquire));
}

static void release(void) {
  atomic_store_explicit(&taken, false, memory_order_release);
}

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release();
  }
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}

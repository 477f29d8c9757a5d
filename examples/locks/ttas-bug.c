// EXPECT: unsafe
// Test-and-test-and-set lock, buggy twin of ttas.c.
// The mistake: a thread that has seen the lock free takes it without another test. Two may see it free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool taken;
static int inside;

static void acquire(void) {
  while (atomic_load_explicit(&taken, memory_order_acquire)) {
  }
  atomic_store_explicit(&taken, true, memory_order_relaxed);
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

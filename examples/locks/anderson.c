// EXPECT: safe
// Anderson's array lock for at most four threads: each waits at its own place of a ring, and opens the next place when it leaves.
// Source: Anderson, "The performance of spin lock alternatives for shared-memory multiprocessors" (TPDS 1990).
// Asserted: only one of three threads is inside.
// The twin anderson-bug.c does not close its place again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PLACES 4
#define THREADS 3

static atomic_uint next_place;
static atomic_bool open[PLACES] = {true};
static int inside;

// PLACES divides 2^32: the places go on in order when the counter wraps around.
static unsigned acquire(void) {
  unsigned mine = atomic_fetch_add(&next_place, 1) % PLACES;
  while (!atomic_load(&open[mine])) {
  }
  atomic_store(&open[mine], false);
  return mine;
}

static void release(unsigned mine) {
  atomic_store(&open[(mine + 1) % PLACES], true);
}

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    unsigned mine = acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release(mine);
  }
  return 0;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], 0);
  return 0;
}

// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Read-copy-update with two counters of readers: an updater retires the old copy when it has seen both counters at zero.
// Source: McKenney, "Is parallel programming hard, and, if so, what can you do about it?", appendix on toy implementations of RCU.
// Asserted: no reader finds its copy retired. 2^32 readers would be counted as none.
// The twin rcu-counters-bug.c waits only for the counter that was in use before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t updater_mutex = PTHREAD_MUTEX_INITIALIZER;
// Which counter new readers use, and the counters.
static atomic_uint which;
static atomic_uint readers[2];
// Which of two copies is published, and whether they may be read.
static atomic_uint current;
static bool retired[2] = {false, true};

static unsigned read_lock(void) {
  unsigned mine = atomic_load(&which);
  atomic_fetch_add(&readers[mine], 1);
  return mine;
}

static void read_unlock(unsigned mine) {
  atomic_fetch_sub(&readers[mine], 1);
}

static void flip_and_wait(void) {
  unsigned old = atomic_load(&which);
  atomic_store(&which, 1 - old);
  while (atomic_load(&readers[old]) != 0) {
  }
}

// A reader may have asked for the counter long ago, so that both are waited for.
static void synchronize(void) {
  flip_and_wait();
  flip_and_wait();
}

static void *reader(void *unused) {
  (void)unused;
  unsigned mine = read_lock();
  unsigned copy = atomic_load(&current);
  assert(!retired[copy]);
  read_unlock(mine);
  return 0;
}

static void *updater(void *unused) {
  (void)unused;
  pthread_mutex_lock(&updater_mutex);
  unsigned old = atomic_load(&current);
  retired[1 - old] = false;
  atomic_store(&current, 1 - old);
  synchronize();
  retired[old] = true;
  pthread_mutex_unlock(&updater_mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, updater, 0);
  }
}

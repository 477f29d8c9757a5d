// EXPECT: unsafe
// Read-copy-update with two counters of readers, buggy twin of rcu-counters.c.
// The mistake: the updater waits only for the counter that was in use before. A reader that asked for its counter before the last
// update and counts itself after it is missed.
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

static void synchronize(void) {
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

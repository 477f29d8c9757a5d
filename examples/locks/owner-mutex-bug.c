// EXPECT: unsafe
// Owner mutex, buggy twin of owner-mutex.c.
// The mistake: a thread looks whether the mutex is free and takes it in two steps, so that two threads may take it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NOBODY ((pthread_t)0)

static _Atomic(pthread_t) owner;
static int inside;

static bool try_lock(void) {
  if (atomic_load(&owner) != NOBODY)
    return false;
  atomic_store(&owner, pthread_self());
  return true;
}

static void lock(void) {
  assert(atomic_load(&owner) != pthread_self());
  while (!try_lock()) {
    while (atomic_load(&owner) != NOBODY) {
    }
  }
}

static void unlock(void) {
  assert(atomic_load(&owner) == pthread_self());
  atomic_store(&owner, NOBODY);
}

static void *worker(void *unused) {
  (void)unused;
  lock();
  inside++;
  assert(inside == 1);
  inside--;
  unlock();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}

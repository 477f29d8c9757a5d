// EXPECT: safe
// Owner mutex: the lock word says which thread holds it, and lock and unlock check that.
// Source: the scheme of OpenBSD's mtx_enter and mtx_leave, whose word is the processor that holds the mutex.
// Asserted: nobody waits for itself or releases what it does not hold; only one thread is inside.
// The twin owner-mutex-bug.c looks whether the mutex is free and takes it in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NOBODY ((pthread_t)0)

static _Atomic(pthread_t) owner;
static int inside;

static bool try_lock(void) {
  pthread_t expected = NOBODY;
  return atomic_compare_exchange_strong(&owner, &expected, pthread_self());
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

// EXPECT: safe
// A lock that stores its owner by pthread_self: no two threads have the same handle. With any number of threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static _Atomic pthread_t owner;

static void *thread(void *unused) {
  pthread_t nobody = 0;
  if (atomic_compare_exchange_strong(&owner, &nobody, pthread_self())) {
    assert(atomic_load(&owner) == pthread_self());
    atomic_store(&owner, 0);
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

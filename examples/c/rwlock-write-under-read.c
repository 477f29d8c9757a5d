// EXPECT: unsafe
// A read lock does not keep other readers out, and these write.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int inside;

static void *thread(void *unused) {
  pthread_rwlock_rdlock(&lock);
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

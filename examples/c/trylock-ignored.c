// EXPECT: unsafe
// The result of trylock is not looked at: two threads are inside, and one releases the other's mutex.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *unused) {
  pthread_mutex_trylock(&mutex);
  inside = 1;
  assert(inside == 1);
  inside = 0;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

// EXPECT: safe
// Any number of threads try to take a mutex and go on without the work if they do not get it.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *unused) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

// EXPECT: safe
// Three slots, each with its own mutex; any number of threads choose one.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int slots[3];

static void *thread(void *unused) {
  unsigned slot = __VERIFIER_nondet_uint() % 3;
  pthread_mutex_lock(&mutexes[slot]);
  slots[slot] = 1;
  assert(slots[slot] == 1);
  slots[slot] = 0;
  pthread_mutex_unlock(&mutexes[slot]);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

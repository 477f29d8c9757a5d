// EXPECT: safe
// Any number of threads increment a counter under a mutex: nobody else writes between the two steps.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned counter;

static void *increment(void *unused) {
  pthread_mutex_lock(&mutex);
  unsigned old = counter;
  counter = old + 1;
  assert(counter == old + 1);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, increment, 0);
  return 0;
}

// EXPECT: safe
// Each of any number of threads has its own counter, and nobody else writes it.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static _Thread_local int counter;

static void increment(void) {
  counter++;
}

static void *thread(void *unused) {
  increment();
  increment();
  assert(counter == 2);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  assert(counter == 0);
  return 0;
}

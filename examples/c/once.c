// EXPECT: safe
// Any number of threads initialise a table once; who comes second waits until it is complete.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int first, second, times;

static void initialise(void) {
  first = 3;
  second = 4;
  times++;
}

static void *thread(void *unused) {
  pthread_once(&control, initialise);
  assert(first == 3 && second == 4 && times == 1);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

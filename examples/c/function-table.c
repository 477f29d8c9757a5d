// EXPECT: safe
// Any number of threads call operations through a table of function pointers; both keep the value between 0 and 9.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void up(void) {
  if (value < 9)
    value++;
}

static void down(void) {
  if (value > 0)
    value--;
}

static void (*const operations[2])(void) = {up, down};

static void *thread(void *unused) {
  unsigned which = __VERIFIER_nondet_uint() % 2;
  pthread_mutex_lock(&mutex);
  operations[which]();
  assert(0 <= value && value <= 9);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

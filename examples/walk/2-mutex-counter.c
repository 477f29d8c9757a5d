// EXPECT: safe
// The counter again. Now a mutex lets one thread at a time count, and look at what it did.
// Asserted: the number is what this thread has just made it.
#include "../thesis/verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned counter;

static void *count(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  unsigned seen = counter;
  counter = seen + 1;
  assert(counter == seen + 1);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, count, 0);
  return 0;
}

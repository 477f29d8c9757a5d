// EXPECT: unsafe
// Any number of threads count, and nothing keeps them apart. To count is to read the number and then to write the next one;
// another thread may write in between.
// Asserted: the number is what this thread has just made it.
#include "../thesis/verifier.h"
#include <assert.h>
#include <pthread.h>

static unsigned counter;

static void *count(void *unused) {
  (void)unused;
  unsigned seen = counter;
  counter = seen + 1;
  assert(counter == seen + 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool()) // true as often as it likes: any number of threads
    pthread_create(&thread, 0, count, 0);
  return 0;
}

// EXPECT: safe
// The input says how many threads there are, two to four; each of them counts with an atomic operation. After the last join the count is
// their number. In the twin create-join-nondet-bug.c, reading and writing are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

#define MOST 4

static atomic_uint count;

static void *work(void *unused) {
  (void)unused;
  atomic_fetch_add(&count, 1);
  return 0;
}

int main(void) {
  pthread_t threads[MOST];
  unsigned number = 2 + __VERIFIER_nondet_uchar() % (MOST - 1);
  for (unsigned i = 0; i < number; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (unsigned i = 0; i < number; i++)
    pthread_join(threads[i], 0);
  assert(count == number);
  return 0;
}

// EXPECT: unsafe
// As pipeline.c, but the second stage says that its channel is full before it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static atomic_bool full[2];
static unsigned channel[2] = {1, 1};

static void *numbers(void *unused) {
  (void)unused;
  for (;;)
    if (!full[0]) {
      channel[0] = __VERIFIER_nondet_uint();
      full[0] = 1;
    }
  return 0;
}

static void *twice(void *unused) {
  (void)unused;
  for (;;)
    if (full[0] && !full[1]) {
      full[1] = 1;
      channel[1] = 2 * channel[0];
      full[0] = 0;
    }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, numbers, 0);
  pthread_create(&threads[1], 0, twice, 0);
  for (;;)
    if (full[1]) {
      assert(channel[1] % 2 == 0);
      full[1] = 0;
    }
}

// EXPECT: unsafe
// PRNGSIMP-C, buggy twin of 08-prngsimp-c.c.
// The mistake: one exchange instead of a loop with compare-and-swap: two threads that have read the same seed draw the
// same number.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seed = 1;

// A linear congruential generator. No number follows itself: an odd one follows an even one, and the other way round.
static unsigned next(unsigned number) { return number * 1664525u + 1013904223u; }

// A number smaller than `limit`.
static unsigned draw(unsigned limit) {
  unsigned drawn = next(atomic_load(&seed));
  unsigned replaced = atomic_exchange(&seed, drawn);
  assert(drawn != replaced);
  return drawn / 16 % limit;
}

static void *worker(void *unused) {
  (void)unused;
  draw(6);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}

// EXPECT: safe
// PRNGSIMP-C: a pseudo-random number generator that any number of threads use, with compare-and-swap.
// Origin: text books on concurrency; table 7 of the thesis gives it 1 shared variable and 5 local ones. As 07-prngsimp-l.c,
// without a lock.
// Asserted: two subsequent calls never yield the same value: what a call draws differs from the seed that it replaces, which
// is what the call before has drawn.
// The twin 08-prngsimp-c-bug.c exchanges the seed without a comparison.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seed = 1;

// A linear congruential generator. No number follows itself: an odd one follows an even one, and the other way round.
static unsigned next(unsigned number) { return number * 1664525u + 1013904223u; }

// A number smaller than `limit`.
static unsigned draw(unsigned limit) {
  unsigned replaced = atomic_load(&seed);
  unsigned drawn;
  do {
    drawn = next(replaced);
  } while (!atomic_compare_exchange_strong(&seed, &replaced, drawn));
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

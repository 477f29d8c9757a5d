// EXPECT: safe
// PRNGSIMP-L: a pseudo-random number generator that any number of threads use, with a lock.
// Origin: text books on concurrency; table 7 of the thesis gives it 2 shared variables and 4 local ones.
// Asserted: two subsequent calls never yield the same value. As the seed is what the call before has drawn, it must differ from
// what this call draws, at the time when that becomes the seed.
// The twin 07-prngsimp-l-bug.c computes the number before it takes the lock.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed = 1;

// A linear congruential generator. No number follows itself: an odd one follows an even one, and the other way round.
static unsigned next(unsigned number) { return number * 1664525u + 1013904223u; }

// A number smaller than `limit`.
static unsigned draw(unsigned limit) {
  pthread_mutex_lock(&mutex);
  unsigned drawn = next(seed);
  assert(drawn != seed);
  seed = drawn;
  pthread_mutex_unlock(&mutex);
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

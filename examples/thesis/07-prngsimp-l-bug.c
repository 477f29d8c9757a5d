// EXPECT: unsafe
// PRNGSIMP-L, buggy twin of 07-prngsimp-l.c.
// The mistake: the number is computed before the lock is taken, to keep the section short: two threads draw the same.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned seed = 1;

// A linear congruential generator. No number follows itself: an odd one follows an even one, and the other way round.
static unsigned next(unsigned number) { return number * 1664525u + 1013904223u; }

// A number smaller than `limit`.
static unsigned draw(unsigned limit) {
  unsigned drawn = next(seed);
  pthread_mutex_lock(&mutex);
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

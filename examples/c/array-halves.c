// EXPECT: safe
// An array of any length up to three, of zeros and ones: two threads sum up one half each, and the halves are all. In the twin
// array-halves-bug.c the halves meet in one element too many.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

#define MOST 3

static unsigned values[MOST], length;

static unsigned sum(unsigned from, unsigned to) {
  unsigned total = 0;
  for (unsigned i = from; i < to; i++)
    total += values[i];
  return total;
}

static unsigned second_half;

static void *second(void *unused) {
  (void)unused;
  second_half = sum(length / 2, length);
  return 0;
}

int main(void) {
  pthread_t thread;
  length = __VERIFIER_nondet_uchar() % MOST + 1;
  for (unsigned i = 0; i < length; i++)
    values[i] = __VERIFIER_nondet_bool();
  pthread_create(&thread, 0, second, 0);
  unsigned first_half = sum(0, length / 2);
  pthread_join(thread, 0);
  assert(first_half + second_half == sum(0, length));
  return 0;
}

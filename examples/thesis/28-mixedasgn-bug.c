// EXPECT: unsafe
// MIXEDASGN, buggy twin of 28-mixedasgn.c: assignments between a shared and a local variable; any number of threads.
// The mistake: that the resource has no owner is seen in one step and claimed in another, instead of by one compare-and-swap.
// Two threads may own it.
// Asserted: the shared variable equals the local one, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static volatile unsigned s;

static void *thread(void *unused) {
  (void)unused;
  unsigned l = __VERIFIER_nondet_uint();
  if (l == 0)
    return 0;
  while (s != 0) {
  }
  s = l;
  l = l | 1;
  s = l;
  assert(s == l);
  s = 0;
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

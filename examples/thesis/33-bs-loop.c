// EXPECT: unsafe
// BS-LOOP: three nested loops with a wrong bound; any number of threads, which share nothing.
// Origin: the thesis' buggy simple loop among its programs with POSIX threads (Kaiser, Kroening and Wahl, Efficient coverability
// analysis by proof minimization, 2012). One thread is enough for the bug.
// Each thread walks through the cells of a box of its own size: layers, rows and columns.
// Asserted: the numbers of layer, row and column remain within the box.
// The mistake: the innermost loop goes one too far.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static void *thread(void *unused) {
  (void)unused;
  unsigned layers = 1 + __VERIFIER_nondet_bool();
  unsigned rows = 1 + __VERIFIER_nondet_bool();
  unsigned columns = 1 + __VERIFIER_nondet_bool();
  for (unsigned x = 0; x < layers; x++)
    for (unsigned y = 0; y < rows; y++)
      for (unsigned z = 0; z <= columns; z++)
        assert(x < layers && y < rows && z < columns);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

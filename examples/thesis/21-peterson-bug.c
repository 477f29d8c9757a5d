// EXPECT: unsafe
// PETERSON, buggy twin of 21-peterson.c: mutual exclusion of two threads by two flags and a turn.
// The mistake: each thread gives the turn away before it raises its flag. One may do so, the other may do both and enter
// because no flag is up, and then the first raises its flag and has the turn.
// Asserted: mutual exclusion, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag1, flag2; // the thread wants to enter
static atomic_int turn;         // who goes first if both want to
static int x;

static void visit1(void) {
  atomic_store(&turn, 2);
  atomic_store(&flag1, 1);
  while (atomic_load(&flag2) == 1 && atomic_load(&turn) == 2) {
  }
  x = 1;
  assert(x == 1);
  atomic_store(&flag1, 0);
}

static void visit2(void) {
  atomic_store(&turn, 1);
  atomic_store(&flag2, 1);
  while (atomic_load(&flag1) == 1 && atomic_load(&turn) == 1) {
  }
  x = 2;
  assert(x == 2);
  atomic_store(&flag2, 0);
}

static void *second(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool())
    visit2();
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, second, 0);
  while (__VERIFIER_nondet_bool())
    visit1();
  return 0;
}

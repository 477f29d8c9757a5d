// EXPECT: unsafe
// DEKKER, buggy twin of 22-dekker.c: mutual exclusion of two threads by two flags and a turn.
// The mistake: a thread that had lowered its flag to let the other one in takes it for granted, when it is its turn again, that
// the other one has left. But the turn is passed on before the flag is lowered, and the other one may want to enter anew.
// Asserted: mutual exclusion, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag1, flag2; // the thread wants to enter
static atomic_int turn = 1;     // who insists if both want to
static int x;

static void visit1(void) {
  atomic_store(&flag1, 1);
  while (atomic_load(&flag2) == 1) {
    if (atomic_load(&turn) != 1) {
      atomic_store(&flag1, 0);
      while (atomic_load(&turn) != 1) {
      }
      atomic_store(&flag1, 1);
      break;
    }
  }
  x = 1;
  assert(x == 1);
  atomic_store(&turn, 2);
  atomic_store(&flag1, 0);
}

static void visit2(void) {
  atomic_store(&flag2, 1);
  while (atomic_load(&flag1) == 1) {
    if (atomic_load(&turn) != 2) {
      atomic_store(&flag2, 0);
      while (atomic_load(&turn) != 2) {
      }
      atomic_store(&flag2, 1);
      break;
    }
  }
  x = 2;
  assert(x == 2);
  atomic_store(&turn, 1);
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

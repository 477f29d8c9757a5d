// EXPECT: safe
// PETERSON: mutual exclusion of two threads by two flags and a turn, as often as they like.
// Origin: Peterson, Myths about the mutual exclusion problem (1981). The variables are sequentially consistent atomics.
// Asserted: mutual exclusion; in its critical section each thread finds in `x` the number that it stored there.
// Twin: the turn is given away before the flag is raised.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag1, flag2; // the thread wants to enter
static atomic_int turn;         // who goes first if both want to
static int x;

static void visit1(void) {
  atomic_store(&flag1, 1);
  atomic_store(&turn, 2);
  while (atomic_load(&flag2) == 1 && atomic_load(&turn) == 2) {
  }
  x = 1;
  assert(x == 1);
  atomic_store(&flag1, 0);
}

static void visit2(void) {
  atomic_store(&flag2, 1);
  atomic_store(&turn, 1);
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

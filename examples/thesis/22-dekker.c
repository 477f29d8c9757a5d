// EXPECT: safe
// DEKKER: mutual exclusion of two threads, the oldest solution, as often as they like.
// Origin: Dekker's algorithm, in Dijkstra, Cooperating sequential processes (1965). Sequentially consistent atomics.
// A thread raises its flag. If the other's is up too, the one whose turn it is not lowers its flag until it is, and then
// raises it again and looks again.
// Asserted: mutual exclusion; in its critical section each thread finds in `x` the number that it stored there.
// Twin: a thread that had lowered its flag does not look again after it has raised it.
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

// EXPECT: safe
// SZYMANSKI: mutual exclusion by a waiting room, for two threads, as often as they like.
// Origin: Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait (1988).
// A thread's flag says where it stands: 0 outside, 1 at the open door, 2 inside the waiting room and waiting for somebody to
// close the door, 3 in the doorway, 4 behind the closed door. Behind it the thread with the lower number goes first.
// Asserted: mutual exclusion; in its critical section each thread finds in `x` the number that it stored there.
// Twin: behind the closed door the second thread does not let the first one go first.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag1, flag2;
static int x;

// Whether a thread with this flag is not on its way through the door.
static _Bool door_is_clear(int flag) { return flag < 2 || flag > 3; }

static void visit1(void) {
  atomic_store(&flag1, 1);
  while (atomic_load(&flag2) >= 3) {
  }
  atomic_store(&flag1, 3);
  if (atomic_load(&flag2) == 1) {
    atomic_store(&flag1, 2);
    while (atomic_load(&flag2) != 4) {
    }
  }
  atomic_store(&flag1, 4);
  x = 1;
  assert(x == 1);
  while (!door_is_clear(atomic_load(&flag2))) {
  }
  atomic_store(&flag1, 0);
}

static void visit2(void) {
  atomic_store(&flag2, 1);
  while (atomic_load(&flag1) >= 3) {
  }
  atomic_store(&flag2, 3);
  if (atomic_load(&flag1) == 1) {
    atomic_store(&flag2, 2);
    while (atomic_load(&flag1) != 4) {
    }
  }
  atomic_store(&flag2, 4);
  while (atomic_load(&flag1) >= 2) {
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

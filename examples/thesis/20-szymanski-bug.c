// EXPECT: unsafe
// SZYMANSKI, buggy twin of 20-szymanski.c: mutual exclusion by a waiting room, for two threads.
// The mistake: behind the closed door the second thread does not look whether the first one is there too, and goes in as if
// it were alone.
// Asserted: mutual exclusion, as in the correct program.
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

// EXPECT: safe
// TAS-L: the test-and-set lock with exponential back-off; any number of threads take it again and again.
// Origin: figure 28 of the thesis, after Mellor-Crummey and Scott, Algorithms for scalable synchronization on shared-memory
// multiprocessors (1991). Test-and-set is one step; who finds the lock taken waits twice as long each time.
// Asserted: mutual exclusion: who has the lock is alone in its critical section; besides that the lock is taken when it has been
// acquired, though it was free when the thread looked, and that no free lock is released.
// Twin: test and set are two steps.
#include "verifier.h"
#include <assert.h>
#include <time.h>

enum { unlocked, locked };

static volatile int LOCK = unlocked;
static int c; // how many threads are in the critical section

static _Thread_local unsigned delay = 1;
static _Thread_local int COND; // what the lock was before this thread set it

static void test_and_set(void) {
  __CPROVER_atomic_begin();
  COND = LOCK;
  LOCK = locked;
  __CPROVER_atomic_end();
}

// Waits for so many nanoseconds.
static void back_off(unsigned nanoseconds) {
  struct timespec pause = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&pause, 0);
}

static void acquire_lock(void) {
  test_and_set();
  while (COND == locked) {
    back_off(delay);
    if (delay * 2 > delay)
      delay *= 2;
    test_and_set();
  }
  assert(COND != LOCK);
}

static void release_lock(void) {
  assert(LOCK != unlocked);
  LOCK = unlocked;
}

static void thread(void) {
  while (1) {
    acquire_lock();
    c++;
    assert(c == 1);
    c--;
    release_lock();
  }
}

int main(void) {
  while (1) {
  __CPROVER_ASYNC_1:
    thread();
  }
}

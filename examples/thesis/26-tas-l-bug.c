// EXPECT: unsafe
// TAS-L, buggy twin of 26-tas-l.c: the test-and-set lock with exponential back-off, taken in infinite loops.
// The mistake: the lock is tested in one step and set in another, as plain C does without an atomic exchange. Two threads may
// find it free.
// Asserted: mutual exclusion and the state of the lock, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <time.h>

enum { unlocked, locked };

static volatile int LOCK = unlocked;
static int c; // how many threads are in the critical section

static _Thread_local unsigned delay = 1;
static _Thread_local int COND; // what the lock was before this thread set it

static void test_and_set(void) {
  COND = LOCK;
  LOCK = locked;
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

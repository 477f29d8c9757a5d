// EXPECT: safe
// A test-and-set lock with growing pauses, in the vocabulary of section 5.1 of the thesis, with any number of threads.
#include <assert.h>
#include <unistd.h>
#include "verifier.h"

static volatile _Bool taken;
static _Thread_local unsigned delay = 1;
static int inside;

static _Bool test_and_set(void) {
  _Bool old;
  __CPROVER_atomic_begin();
  old = taken;
  taken = 1;
  __CPROVER_atomic_end();
  return old;
}

static void lock(void) {
  while (test_and_set()) {
    usleep(delay);
    if (delay < 1000)
      delay = 2 * delay;
  }
}

static void unlock(void) {
  assert(taken);
  taken = 0;
}

static void thread(void) {
  for (;;) {
    lock();
    inside++;
    assert(inside == 1);
    inside--;
    unlock();
  }
}

int main(void) {
  for (;;) {
  __CPROVER_ASYNC_1:
    thread();
  }
}

// EXPECT: unsafe
// The test and the set are two steps: two threads find the lock free.
#include <assert.h>
#include "verifier.h"

static volatile _Bool taken;
static int inside;

static void lock(void) {
  while (taken) {
  }
  taken = 1;
}

static void thread(void) {
  lock();
  inside = 1;
  assert(inside == 1);
  inside = 0;
  taken = 0;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
  __CPROVER_ASYNC_1:
    thread();
  }
  return 0;
}

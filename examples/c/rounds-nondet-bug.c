// EXPECT: unsafe
// As rounds-nondet.c, but there is one round too many.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static unsigned rounds;
static atomic_uint done;

static void *work(void *unused) {
  (void)unused;
  for (unsigned i = 0; i <= rounds; i++)
    done = i + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  rounds = __VERIFIER_nondet_uint();
  pthread_create(&thread, 0, work, 0);
  while (__VERIFIER_nondet_bool())
    assert(done <= rounds);
  return 0;
}

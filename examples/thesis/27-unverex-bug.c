// EXPECT: unsafe
// UNVEREX, buggy twin of 27-unverex.c: a shared variable and its local copy are changed alike; any number of threads.
// The mistake: the copy is made before the spin flag is taken. The shared variable may have changed until then.
// Asserted: the shared variable then equals the local one, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool b;
static unsigned s;

static void *thread(void *unused) {
  (void)unused;
  unsigned l;
  l = s;
  while (atomic_exchange(&b, 1)) {
  }
  l = l + 1;
  s = s + 1;
  assert(s == l);
  atomic_store(&b, 0);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

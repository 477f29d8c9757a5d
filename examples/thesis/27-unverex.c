// EXPECT: safe
// UNVEREX: a shared variable and its local copy are changed alike; any number of threads.
// Origin: the thesis' first example for single-thread predicates (Donaldson, Kaiser, Kroening, Tautschnig and Wahl,
// Counterexample-guided abstraction refinement for symmetric concurrent programs, 2012): no proof exists with predicates over
// only shared or only local variables, because the values are not bounded; `s == l` is needed.
// `s` is a generation number behind the spin flag `b`. A thread works out the next generation in `l` before it counts.
// Asserted: the shared variable then equals the local one.
// Twin: the copy is made before the flag is taken.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool b;
static unsigned s;

static void *thread(void *unused) {
  (void)unused;
  unsigned l;
  while (atomic_exchange(&b, 1)) {
  }
  l = s;
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

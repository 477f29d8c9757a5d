// EXPECT: safe
// MIXEDASGN: assignments between a shared and a local variable; any number of threads.
// Origin: the thesis' second example for single-thread predicates (Donaldson, Kaiser, Kroening, Tautschnig and Wahl,
// Counterexample-guided abstraction refinement for symmetric concurrent programs, 2012): each assignment to `s` changes whether
// `s == l` holds in all threads.
// `s` holds the name of who owns some resource, 0 for nobody. A thread with any name in `l`, perhaps another one's too, claims the
// resource, makes its name odd to say that it works, publishes the new name and gives the resource back.
// Asserted: the shared variable equals the local one after the name has been made and published.
// Twin: that the resource has no owner is seen in one step, the claim is another one.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static volatile unsigned s;

static void *thread(void *unused) {
  (void)unused;
  unsigned l = __VERIFIER_nondet_uint();
  if (l == 0)
    return 0;
  while (!__sync_bool_compare_and_swap(&s, 0, l)) {
  }
  l = l | 1;
  s = l;
  assert(s == l);
  s = 0;
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

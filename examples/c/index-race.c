// EXPECT: unsafe
// Two threads find one place left and both take one: the index is out of bounds.
#include <pthread.h>
#include "verifier.h"

static int places[2];
static unsigned used;

static void *thread(void *unused) {
  if (used < 2) {
    places[used] = 1;
    used = used + 1;
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}

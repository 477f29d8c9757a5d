// EXPECT: safe
// An array whose length the input says, up to four. One thread fills it and says how far it is; the other one reads up to there.
// The twin array-length-bug.c says so before the element is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

#define MOST 4

static int values[MOST];
static unsigned length;
static atomic_uint filled;

static void *fill(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < length; i++) {
    values[i] = 1;
    filled = i + 1;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  length = __VERIFIER_nondet_uint() % MOST + 1;
  pthread_create(&thread, 0, fill, 0);
  for (unsigned i = 0; i < filled; i++)
    assert(values[i] == 1);
  pthread_join(thread, 0);
  return 0;
}

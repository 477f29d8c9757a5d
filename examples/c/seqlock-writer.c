// EXPECT: safe
// Sequence lock with one writer, which writes as often as the input says, and a reader that tries once: the sequence is odd while the
// writer writes, and a reader believes what it has read if the sequence is even and the same as before. The sequence stops at its end. In
// the twin seqlock-writer-bug.c a reader does not look again.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static atomic_uint sequence;
static atomic_int left, right;

static void *reader(void *unused) {
  (void)unused;
  unsigned before = sequence;
  if (before % 2 == 0) {
    int seen_left = left;
    int seen_right = right;
    if (sequence == before)
      assert(seen_left == seen_right);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  while (__VERIFIER_nondet_bool() && sequence < UINT_MAX - 1) {
    int value = __VERIFIER_nondet_int();
    sequence++;
    left = value;
    right = value;
    sequence++;
  }
  return 0;
}

// EXPECT: unsafe
// As seqlock-writer.c, but a reader believes what it has read without looking at the sequence again.
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

// EXPECT: unsafe
// As seqlock-two-writers.c, but the writers have no mutex: when both write, the sequence is even.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_long left, right;

static void *writer(void *argument) {
  sequence++;
  left = (long)argument;
  right = (long)argument;
  sequence++;
  return 0;
}

int main(void) {
  pthread_t writers[2];
  unsigned before;
  long seen_left, seen_right;
  for (long i = 0; i < 2; i++)
    pthread_create(&writers[i], 0, writer, (void *)(i + 1));
  do {
    before = sequence;
    seen_left = left;
    seen_right = right;
  } while (before % 2 != 0 || sequence != before);
  assert(seen_left == seen_right);
  return 0;
}

// EXPECT: safe
// Sequence lock with two writers, which a mutex keeps apart, and a reader that tries until it succeeds. In the twin
// seqlock-two-writers-bug.c the writers have no mutex: both together make the sequence even while they write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sequence;
static atomic_long left, right;

static void *writer(void *argument) {
  pthread_mutex_lock(&mutex);
  sequence++;
  left = (long)argument;
  right = (long)argument;
  sequence++;
  pthread_mutex_unlock(&mutex);
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

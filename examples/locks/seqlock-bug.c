// EXPECT: unsafe
// Sequence lock, buggy twin of seqlock.c.
// The mistake: the reader does not look whether the sequence is odd. It accepts what it reads while a writer is at work.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_uint sequence;
static atomic_uint left, right;

static bool write_begin(void) {
  for (;;) {
    unsigned old = atomic_load(&sequence);
    if (old == UINT_MAX - 1)
      return false;
    if (old % 2 == 0 && atomic_compare_exchange_strong(&sequence, &old, old + 1))
      return true;
  }
}

static void write_end(void) {
  atomic_fetch_add(&sequence, 1);
}

static void *writer(void *unused) {
  (void)unused;
  if (write_begin()) {
    unsigned value = atomic_load(&left) + 1;
    atomic_store(&left, value);
    atomic_store(&right, value);
    write_end();
  }
  return 0;
}

static void *reader(void *unused) {
  unsigned before, seen_left, seen_right;
  (void)unused;
  do {
    before = atomic_load(&sequence);
    seen_left = atomic_load(&left);
    seen_right = atomic_load(&right);
  } while (atomic_load(&sequence) != before);
  assert(seen_left == seen_right);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
  }
}

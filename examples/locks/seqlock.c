// EXPECT: safe
// Sequence lock: a writer makes the sequence odd while it writes; readers read again if it was odd or has changed.
// Source: Linux's seqlock (2003); Boehm, "Can seqlocks get along with programming language memory models?" (MSPC 2012).
// Asserted: what a reader accepts is the two halves of one write. The sequence stops at its end: a reader that sleeps while it
// goes round once would take a new number for the old one.
// The twin seqlock-bug.c does not look whether the sequence is odd.
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
    while ((before = atomic_load(&sequence)) % 2 != 0) {
    }
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

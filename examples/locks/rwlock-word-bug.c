// EXPECT: unsafe
// Reader-writer lock in one word, buggy twin of rwlock-word.c.
// The mistake: the reader looks for a writer and counts itself in two steps. A writer may come in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 0x80000000u

static atomic_uint word;
static unsigned left, right;

static void read_lock(void) {
  while (atomic_load(&word) & WRITER) {
  }
  atomic_fetch_add(&word, 1);
}

static void read_unlock(void) {
  atomic_fetch_sub(&word, 1);
}

static void write_lock(void) {
  unsigned expected;
  do
    expected = 0;
  while (!atomic_compare_exchange_weak(&word, &expected, WRITER));
}

static void write_unlock(void) {
  atomic_store(&word, 0);
}

static void *reader(void *unused) {
  (void)unused;
  read_lock();
  unsigned seen = left;
  assert(seen == right);
  read_unlock();
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  write_lock();
  left++;
  right++;
  assert(left == right);
  write_unlock();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, writer, 0);
  }
}

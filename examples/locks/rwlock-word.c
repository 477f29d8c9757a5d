// EXPECT: safe
// OPTIONS: --max-live-threads 2^30
// Reader-writer lock in one word: the number of readers, or the writer's bit.
// Source: the scheme of nginx's ngx_rwlock and of musl's pthread_rwlock, from their descriptions.
// Asserted: readers see the two halves of the data equal, writers are alone. 2^31 readers would carry into the writer's bit.
// The twin rwlock-word-bug.c tests for a writer and counts the reader in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITER 0x80000000u

static atomic_uint word;
static unsigned left, right;

static void read_lock(void) {
  unsigned old = atomic_load(&word);
  for (;;) {
    if (old & WRITER)
      old = atomic_load(&word);
    else if (atomic_compare_exchange_weak(&word, &old, old + 1))
      return;
  }
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

// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Reader-writer lock that prefers writers: a writer claims the lock, new readers stay out, and it waits for the old ones.
// Source: the second problem of Courtois, Heymans and Parnas (CACM 1971); with a flag and a count as in Concurrency Kit's ck_rwlock.
// Asserted: no reader and no second writer is inside together with a writer. 2^32 readers would be counted as none.
// The twin rwlock-writer-preference-bug.c does not look for a writer again after it has counted itself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool writer_claims;
static atomic_uint readers;
static bool writing;

static void read_lock(void) {
  for (;;) {
    while (atomic_load(&writer_claims)) {
    }
    atomic_fetch_add(&readers, 1);
    if (!atomic_load(&writer_claims))
      return;
    atomic_fetch_sub(&readers, 1);
  }
}

static void read_unlock(void) {
  atomic_fetch_sub(&readers, 1);
}

static void write_lock(void) {
  while (atomic_exchange(&writer_claims, true)) {
  }
  while (atomic_load(&readers) != 0) {
  }
}

static void write_unlock(void) {
  atomic_store(&writer_claims, false);
}

static void *reader(void *unused) {
  (void)unused;
  read_lock();
  assert(!writing);
  read_unlock();
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  write_lock();
  assert(!writing);
  writing = true;
  writing = false;
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

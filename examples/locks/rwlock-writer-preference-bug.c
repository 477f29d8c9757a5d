// EXPECT: unsafe
// Reader-writer lock that prefers writers, buggy twin of rwlock-writer-preference.c.
// The mistake: the reader does not look for a writer again after it has counted itself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool writer_claims;
static atomic_uint readers;
static bool writing;

static void read_lock(void) {
  while (atomic_load(&writer_claims)) {
  }
  atomic_fetch_add(&readers, 1);
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

// EXPECT: unsafe
// Phase-fair reader-writer lock, buggy twin of rwlock-phase-fair.c.
// The mistake: the writer looks which readers to wait for before it stops new ones. It does not wait for a reader that comes in
// between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// The low byte of readers_in says whether a writer is present, and the parity of its ticket; readers are counted above.
#define READER 0x100u
#define WRITER_BITS 0x3u
#define PRESENT 0x2u
#define PHASE 0x1u

static atomic_uint readers_in, readers_out;
static atomic_uint writers_in, writers_out;
static bool writing;

static void read_lock(void) {
  unsigned writer = atomic_fetch_add(&readers_in, READER) & WRITER_BITS;
  while (writer != 0 && writer == (atomic_load(&readers_in) & WRITER_BITS)) {
  }
}

static void read_unlock(void) {
  atomic_fetch_add(&readers_out, READER);
}

static void write_lock(void) {
  unsigned ticket = atomic_fetch_add(&writers_in, 1);
  while (ticket != atomic_load(&writers_out)) {
  }
  unsigned readers = atomic_load(&readers_in);
  atomic_fetch_add(&readers_in, PRESENT | (ticket & PHASE));
  while (readers != atomic_load(&readers_out)) {
  }
}

static void write_unlock(void) {
  atomic_fetch_and(&readers_in, ~(READER - 1));
  atomic_fetch_add(&writers_out, 1);
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

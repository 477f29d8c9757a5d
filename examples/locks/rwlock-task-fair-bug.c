// EXPECT: unsafe
// Task-fair reader-writer lock, buggy twin of rwlock-task-fair.c.
// The mistake: the writer waits for its turn to read, which comes when the reader before it has begun, not when it has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket;
// The ticket that may begin to read, and the ticket that may begin to write.
static atomic_uint may_read, may_write;
static unsigned left, right;

static void read_lock(void) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&may_read) != mine) {
  }
  atomic_store(&may_read, mine + 1);
}

static void read_unlock(void) {
  atomic_fetch_add(&may_write, 1);
}

static void write_lock(void) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&may_read) != mine) {
  }
}

static void write_unlock(void) {
  atomic_fetch_add(&may_read, 1);
  atomic_fetch_add(&may_write, 1);
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

// EXPECT: unsafe
// Big-reader lock, buggy twin of big-reader.c.
// The mistake: the writer does not take the last lock. Readers of that processor are inside together with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define PROCESSORS 3

static atomic_bool taken[PROCESSORS];
static bool writing;

// Where a thread runs is the scheduler's choice.
static unsigned here(void) {
  return (unsigned)rand() % PROCESSORS;
}

static void acquire(unsigned processor) {
  while (atomic_exchange(&taken[processor], true)) {
  }
}

static void release(unsigned processor) {
  atomic_store(&taken[processor], false);
}

static void *reader(void *unused) {
  (void)unused;
  unsigned processor = here();
  acquire(processor);
  assert(!writing);
  release(processor);
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < PROCESSORS - 1; i++)
    acquire(i);
  assert(!writing);
  writing = true;
  writing = false;
  for (unsigned i = 0; i < PROCESSORS; i++)
    release(i);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, writer, 0);
  }
}

// EXPECT: safe
// Big-reader lock: a spin lock for each processor; readers take the one of theirs, writers take all.
// Source: Hsieh and Weihl, "Scalable reader-writer locks for parallel systems" (IPPS 1992); the brlock of Linux 2.4.
// Asserted: no reader and no second writer is inside together with a writer.
// The twin big-reader-bug.c does not take the last lock for writing.
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
  for (unsigned i = 0; i < PROCESSORS; i++)
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

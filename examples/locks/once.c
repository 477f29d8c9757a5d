// EXPECT: safe
// Once: the first caller runs the initialisation, and all others wait until it has been run.
// Source: pthread_once of POSIX, with the three states that musl's version has.
// Asserted: the initialisation runs once, and is complete when a call returns.
// The twin once-bug.c waits only if nobody has begun.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NEW, RUNNING, DONE };

static atomic_int state = NEW;
static int runs, value;

static void initialise(void) {
  runs++;
  assert(runs == 1);
  value = 7;
}

static void call_once_only(void) {
  int expected = NEW;
  if (atomic_load_explicit(&state, memory_order_acquire) == DONE)
    return;
  if (atomic_compare_exchange_strong(&state, &expected, RUNNING)) {
    initialise();
    atomic_store_explicit(&state, DONE, memory_order_release);
  } else {
    while (atomic_load_explicit(&state, memory_order_acquire) != DONE) {
    }
  }
}

static void *worker(void *unused) {
  (void)unused;
  call_once_only();
  assert(value == 7);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}

// EXPECT: unsafe
// Futex mutex with three states, buggy twin of futex-mutex.c.
// The mistake: a thread that has been woken once believes that it has the mutex. Another one may have been faster.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int state = FREE;
static int inside;

// These stand for the system calls. The kernel, too, may let a thread go on before it is woken.
static void futex_wait(atomic_int *word, int value) {
  if (atomic_load(word) == value)
    sched_yield();
}

static void futex_wake(atomic_int *word) {
  (void)word;
}

static void lock(void) {
  int old = FREE;
  if (atomic_compare_exchange_strong(&state, &old, TAKEN))
    return;
  if (old != WAITED_FOR)
    old = atomic_exchange(&state, WAITED_FOR);
  if (old != FREE) {
    futex_wait(&state, WAITED_FOR);
    old = atomic_exchange(&state, WAITED_FOR);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&state, 1) != TAKEN) {
    atomic_store(&state, FREE);
    futex_wake(&state);
  }
}

static void *worker(void *unused) {
  (void)unused;
  lock();
  inside++;
  assert(inside == 1);
  inside--;
  unlock();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}

// EXPECT: unsafe
// Reference count with weak references, buggy twin of refcount-weak.c.
// The mistake: the last strong reference gives up the weak one before it destroys the value, whose memory may be gone then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

// One strong reference, which the owner has; one weak one for the strong ones, one for main.
static atomic_uint strong = 1, weak = 2;
static bool destroyed, freed;

static void drop_weak(void) {
  assert(!freed);
  if (atomic_fetch_sub(&weak, 1) == 1)
    freed = true;
}

static void drop_strong(void) {
  assert(!destroyed);
  if (atomic_fetch_sub(&strong, 1) == 1) {
    drop_weak();
    assert(!freed);
    destroyed = true;
  }
}

static bool upgrade(void) {
  unsigned old = atomic_load(&strong);
  assert(!freed);
  do {
    if (old == 0)
      return false;
  } while (!atomic_compare_exchange_weak(&strong, &old, old + 1));
  return true;
}

static void *owner(void *unused) {
  (void)unused;
  drop_strong();
  return 0;
}

// Has a weak reference from the beginning.
static void *worker(void *unused) {
  (void)unused;
  if (upgrade()) {
    assert(!destroyed);
    drop_strong();
  }
  drop_weak();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  while (rand() % 100 != 0) {
    atomic_fetch_add(&weak, 1);
    pthread_create(&t, 0, worker, 0);
  }
  drop_weak();
  pthread_exit(0);
}

// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Reference count: who finds the object takes a reference unless the count is zero; who drops the last one destroys the object.
// Source: the pattern of kref_get_unless_zero and kref_put in Linux (Kroah-Hartman, "kobjects and krefs", OLS 2004).
// Asserted: the object is alive while a thread has a reference, and is destroyed once. 2^32 references would be counted as none.
// The twin refcount-bug.c tests for zero and increments in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct object {
  atomic_uint references;
  bool destroyed;
};

// The first reference is the owner's.
static struct object object = {1, false};

static bool get(struct object *o) {
  unsigned old = atomic_load(&o->references);
  do {
    if (old == 0)
      return false;
  } while (!atomic_compare_exchange_weak(&o->references, &old, old + 1));
  return true;
}

static void put(struct object *o) {
  if (atomic_fetch_sub(&o->references, 1) == 1) {
    assert(!o->destroyed);
    o->destroyed = true;
  }
}

static void *owner(void *unused) {
  (void)unused;
  assert(!object.destroyed);
  put(&object);
  return 0;
}

static void *worker(void *unused) {
  (void)unused;
  if (get(&object)) {
    assert(!object.destroyed);
    put(&object);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  while (1)
    pthread_create(&t, 0, worker, 0);
}

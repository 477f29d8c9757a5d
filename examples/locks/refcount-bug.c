// EXPECT: unsafe
// Reference count, buggy twin of refcount.c.
// The mistake: the count is tested and incremented in two steps. The owner may drop the last reference in between.
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
  if (atomic_load(&o->references) == 0)
    return false;
  atomic_fetch_add(&o->references, 1);
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

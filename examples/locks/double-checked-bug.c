// EXPECT: unsafe
// Double-checked initialisation, buggy twin of double-checked.c.
// The mistake: a thread does not look again when it has the lock. It makes a second object after it has waited for the first one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
  int size;
  int limit;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct config *) instance;
static int made;

static struct config *make(void) {
  struct config *c = malloc(sizeof *c);
  if (c == NULL)
    abort();
  made++;
  c->size = 10;
  c->limit = 20;
  return c;
}

static struct config *get(void) {
  struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
  if (c == NULL) {
    pthread_mutex_lock(&mutex);
    c = make();
    atomic_store_explicit(&instance, c, memory_order_release);
    pthread_mutex_unlock(&mutex);
  }
  return c;
}

static void *worker(void *unused) {
  (void)unused;
  struct config *c = get();
  assert(c->size == 10 && c->limit == 20);
  assert(made == 1);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}

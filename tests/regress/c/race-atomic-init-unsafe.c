// expect: unsafe [options: --data-race-check] [judge: none]
// The initialisation of an atomic object is no atomic access.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static void *worker(void *arg) {
  int v = atomic_load(&x);
  return v == 7 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  atomic_init(&x, 1);
  pthread_join(t, 0);
  return 0;
}

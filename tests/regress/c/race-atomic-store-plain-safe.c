// expect: safe, must [options: --data-race-check] [judge: tsan]
// Plain against atomic.
#include <pthread.h>

static int x;
static void *worker(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  return v == 3;
}

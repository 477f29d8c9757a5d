// expect: unsafe, must [options: --data-race-check] [judge: none]
// The same by the name of the function.
#include <pthread.h>

static int x;
static void __VERIFIER_atomic_set(void) { x = 1; }
static void *worker(void *arg) {
  __VERIFIER_atomic_set();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}

// expect: safe, must [options: --data-race-check] [judge: none]
// A write inside an atomic section against a plain read outside.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x;
static void *worker(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __VERIFIER_atomic_begin();
  int v = x;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  return v == 5;
}

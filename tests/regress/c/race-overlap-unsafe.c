// expect: unsafe [options: --data-race-check] [judge: tsan]
// Accesses of different sizes that overlap.
#include <pthread.h>

static _Alignas(8) char b[8];
static void *worker(void *arg) {
  *(int *)b = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  b[3] = 1;
  pthread_join(t, 0);
  return 0;
}

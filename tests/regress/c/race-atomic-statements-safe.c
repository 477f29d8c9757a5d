// expect: safe, must [options: --atomic-statements --data-race-check] [judge: tsan]
// What a race is does not depend on our granularity.
#include <pthread.h>

static _Atomic int x;
static void *worker(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}

// expect: unsafe, must [options: --data-race-check] [judge: tsan]
// Volatile is not atomic.
#include <pthread.h>

static volatile int x;
static void *worker(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = x;
  pthread_join(t, 0);
  return v == 7;
}

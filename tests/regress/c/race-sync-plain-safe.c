// expect: safe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static int x;
static void *worker(void *arg) {
  __sync_fetch_and_add(&x, 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __sync_fetch_and_add(&x, 1);
  pthread_join(t, 0);
  return 0;
}

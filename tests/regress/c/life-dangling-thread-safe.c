// expect: safe [options: --memory-safety-check] [judge: none]
// A thread uses a local of a call that may have returned.
#include <pthread.h>

static void *worker(void *arg) {
  *(int *)arg = 1;
  return 0;
}
static void start(pthread_t *t) {
  int x = 0;
  pthread_create(t, 0, worker, &x);
  pthread_join(*t, 0);
}
int main(void) {
  pthread_t t;
  start(&t);
  pthread_exit(0);
}

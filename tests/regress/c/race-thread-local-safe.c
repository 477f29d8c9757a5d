// expect: safe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static _Thread_local int x;
static void *worker(void *arg) {
  x++;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

// expect: safe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static int x;
static void *worker(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  x++;
  return 0;
}

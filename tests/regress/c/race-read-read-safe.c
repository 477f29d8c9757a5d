// expect: safe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static int x;
static void *worker(void *arg) {
  int v = x;
  return v ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = x; (void)v;
  pthread_join(t, 0);
  return 0;
}

// expect: safe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static int a[2];
static void *worker(void *arg) {
  a[0]++;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  a[1]++;
  pthread_join(t, 0);
  return 0;
}

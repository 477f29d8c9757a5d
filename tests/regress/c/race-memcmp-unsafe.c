// expect: unsafe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <string.h>

static int a[2], b[2];
static void *worker(void *arg) {
  a[1] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = memcmp(a, b, 8);
  pthread_join(t, 0);
  return v == 77;
}

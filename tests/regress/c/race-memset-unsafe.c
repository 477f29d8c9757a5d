// expect: unsafe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <string.h>

static char a[4], b[4];
static void *worker(void *arg) {
  memset(a, 1, 4);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  memset(a, 2, 2);
  pthread_join(t, 0);
  return 0;
}

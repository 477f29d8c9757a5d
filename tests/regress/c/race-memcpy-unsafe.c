// expect: unsafe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <string.h>

static int a[2], b[2];
static void *worker(void *arg) {
  memcpy(b, a, sizeof a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  a[0] = 1;
  pthread_join(t, 0);
  return 0;
}

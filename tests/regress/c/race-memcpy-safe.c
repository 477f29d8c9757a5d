// expect: safe [options: --data-race-check] [judge: tsan]
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
  int v = a[0];
  pthread_join(t, 0);
  return 0;
}

// expect: safe [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static union {
  char c[4];
  int i;
} u;
static void *worker(void *arg) {
  u.c[1] = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  u.c[2] = 1;
  pthread_join(t, 0);
  return 0;
}

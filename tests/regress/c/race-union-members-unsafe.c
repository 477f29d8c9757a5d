// expect: unsafe [options: --data-race-check] [judge: tsan]
// Different members of a union's structure do not meet.
#include <pthread.h>

static union {
  struct {
    int a, b;
  } s;
  long all;
} u;
static void *worker(void *arg) {
  u.s.a = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  u.all = 1;
  pthread_join(t, 0);
  return 0;
}

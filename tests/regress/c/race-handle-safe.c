// expect: safe [options: --data-race-check] [judge: none]
// The handle that pthread_create stores.
#include <pthread.h>

static pthread_t t;
static int x;
static void *worker(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: unsafe, must [options: --data-race-check] [judge: tsan]
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;
static void init(void) { x = 1; }
static void *worker(void *arg) {
  init();
  int v = x;
  return v == 7 ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

// expect: unsafe, must [options: --data-race-check] [judge: tsan]
// Zero is success.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg) {
  if (pthread_mutex_trylock(&m) != 0) {
    x++;
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

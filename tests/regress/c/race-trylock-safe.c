// expect: safe, must [options: --data-race-check] [judge: none]
// Data behind a trylock that failed.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int got = pthread_mutex_trylock(&m) == 0;
  if (got)
    x = 2;
  if (got)
    pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}

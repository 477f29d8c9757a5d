// expect: safe, must [options: --data-race-check] [judge: none]
// Who gets the lock is ordered; who is refused does nothing.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *holder(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
  if (pthread_mutex_trylock(&m) == 0) {
    x = 2;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

// expect: unsafe [options: --data-race-check] [judge: none]
// To be refused a lock orders nothing: the other thread's write may be seen as one of the same time.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *holder(void *a) {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
  if (pthread_mutex_trylock(&m) != 0) x = 2;
  else pthread_mutex_unlock(&m);
  return 0;
}

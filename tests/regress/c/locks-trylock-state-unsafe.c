// expect: unsafe, must [options: --no-search] [judge: none]
// A failed attempt tells that another thread is in its critical section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *w(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  for (;;)
    ;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  if (pthread_mutex_trylock(&m))
    assert(x == 0);
  return 0;
}

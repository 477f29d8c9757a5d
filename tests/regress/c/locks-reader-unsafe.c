// expect: unsafe, must [options: --no-search] [judge: none]
// A reader without the lock sees the middle of a critical section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *w(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  assert(x == 0);
  return 0;
}

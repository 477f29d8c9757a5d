// expect: unsafe, must [options: --no-search] [judge: none]
// A pointer leads to what the lock protects, or to something else.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *v(void *a) {
  int *p = a;
  *p = 1;
  *p = 0;
  return 0;
}
void *w(void *a) {
  pthread_mutex_lock(&m);
  assert(x == 0);
  x = 2;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, v, &x);
  for (;;)
    pthread_create(&t, 0, w, 0);
}

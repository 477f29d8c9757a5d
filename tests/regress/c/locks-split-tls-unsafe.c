// expect: unsafe, must [options: --no-search] [judge: none]
// Whether the lock was taken is in a local that a pointer changes.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
_Thread_local int held;
_Thread_local int *p;
void *w(void *a) {
  p = &held;
  if (pthread_mutex_trylock(&m) == 0)
    held = 1;
  *p = 1;
  if (held) {
    x = x + 1;
    assert(x == 1);
    x = x - 1;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, w, 0);
}

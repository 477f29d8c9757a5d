// expect: unsafe, must [options: --no-search] [judge: none]
// A new thread may find its own handle in a global, stored by its creator.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_ulong g;
void *w(void *a) {
  unsigned long me = pthread_self();
  unsigned long s = g;
  assert(s != me);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, w, 0);
    g = t;
  }
}

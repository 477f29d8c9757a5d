// expect: safe, must [options: --no-search] [judge: none]
// Whether the lock is taken is asked by one that does not hold it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int l, x;
void take(void) {
  int e = 0;
  while (!atomic_compare_exchange_strong(&l, &e, 1))
    e = 0;
}
void *w(void *a) {
  take();
  l = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  take();
  assert(l == 1);
  return 0;
}

// expect: safe, must [options: --no-search] [judge: none]
// One that does not hold the lock writes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int x;
void *w(void *a) {
  if (atomic_exchange(&l, 1) == 0) {
    x = x + 1;
    assert(x == 1);
    x = x - 1;
    l = 0;
  }
  return 0;
}
void *v(void *a) {
  l = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, w, 0);
    pthread_create(&t, 0, v, 0);
  }
}

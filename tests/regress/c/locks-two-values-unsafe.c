// expect: unsafe, must [options: --no-search] [judge: none]
// A lock with a value for each kind of owner.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int x;
void *v(void *a) {
  int e = 0;
  if (atomic_compare_exchange_strong(&l, &e, 1)) {
    x = 1;
    x = 0;
    l = 0;
  }
  return 0;
}
void *w(void *a) {
  int e = 1;
  if (atomic_compare_exchange_strong(&l, &e, 2)) {
    assert(x == 0);
    l = 0;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, v, 0);
    pthread_create(&t, 0, w, 0);
  }
}

// expect: unsafe, must [judge: none]
// C11's functions on atomic structures, which compilers do not spell as those on numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};
static _Atomic struct pair shared;
static void *writer(void *arg) {
  struct pair v = {1, 2};
  atomic_store(&shared, v);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair v = atomic_load(&shared);
  assert(v.a == v.b);
  return 0;
}

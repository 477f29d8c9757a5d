// expect: safe [judge: none]
// Of 16 bytes, which needs a lock of the library, but is one step.
#include <assert.h>
#include <pthread.h>

struct s {
  long a, b;
};
static _Atomic struct s shared;
static void *writer(void *arg) {
  struct s v = {1, 1};
  shared = v;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct s v = shared;
  assert(v.a == v.b);
  return 0;
}

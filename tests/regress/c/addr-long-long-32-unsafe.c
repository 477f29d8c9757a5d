// expect: unsafe [options: --32] [judge: none]
// 64 bits are two accesses on a machine of 32 bits, unless they are atomic.
#include <assert.h>
#include <pthread.h>

static  long long shared;
static void *writer(void *arg) {
  shared = -1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  long long v = shared;
  assert(v == 0 || v == -1);
  return 0;
}

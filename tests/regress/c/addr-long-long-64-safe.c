// expect: safe, must [judge: none]
// On a machine of 64 bits it is one.
#include <assert.h>
#include <pthread.h>

static volatile long long shared;
static void *writer(void *arg) {
  shared = -1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  long long v = shared;
  assert(v == 0|| v == -1);
  return 0;
}

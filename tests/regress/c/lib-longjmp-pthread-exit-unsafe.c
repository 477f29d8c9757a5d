// expect: unsafe, must [judge: none]
// A thread ends in the middle.
#include <assert.h>
#include <pthread.h>

static int x;
static void *worker(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}

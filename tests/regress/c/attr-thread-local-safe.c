// expect: safe, must
// Each thread has one.
#include <assert.h>
#include <pthread.h>

static __thread int x;
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

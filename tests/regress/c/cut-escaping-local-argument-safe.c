// expect: safe, must [judge: none]
// A local of main as the argument of a thread.
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) {
  *(int *)arg = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int x = 0;
  pthread_create(&t, 0, worker, &x);
  pthread_join(t, 0);
  assert(x == 1);
  pthread_exit(0);
}

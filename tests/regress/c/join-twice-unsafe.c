// expect: unsafe [judge: none]
// A thread that was joined must not be joined again: nothing is known then.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_join(t, 0);
  assert(pthread_join(t, 0) == 0);
  return 0;
}

// expect: safe, must
// Two threads, each of which is joined.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, nothing, 0);
  assert(pthread_join(t, 0) == 0);
  return 0;
}

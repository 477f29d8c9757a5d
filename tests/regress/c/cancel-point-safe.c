// expect: safe [judge: none]
// Who was cancelled does not go on beyond a place where cancelled threads stop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int asked;

void *worker(void *unused) {
  while (!asked) {
  }
  pthread_testcancel();
  assert(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(thread);
  asked = 1;
  pthread_join(thread, 0);
  return 0;
}

// expect: unsafe, must [judge: none]
// Nobody was cancelled.
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
  asked = 1;
  pthread_join(thread, 0);
  return 0;
}

// expect: unsafe, must [judge: none]
// A thread detaches itself, another one is joined.
#include <assert.h>
#include <pthread.h>

int done;

void *alone(void *argument) {
  pthread_detach(pthread_self());
  return 0;
}

void *work(void *argument) {
  done = 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, alone, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(second, 0);
  assert(done == 0);
  return 0;
}

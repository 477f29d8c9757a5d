// expect: unknown, must [judge: none]
// A thread must not be detached twice, also where no thread is waited for.
#include <pthread.h>

void *work(void *argument) {
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_detach(first);
  pthread_detach(first);
  return 0;
}

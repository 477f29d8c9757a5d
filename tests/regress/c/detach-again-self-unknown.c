// expect: unknown, must [judge: none]
// A thread detaches itself, and so does its creator.
#include <pthread.h>

void *work(void *argument) {
  pthread_detach(pthread_self());
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  return 0;
}

// expect: unknown, must [judge: none]
// A thread that joins itself gets an error or waits for ever.
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
  pthread_join(pthread_self(), 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}

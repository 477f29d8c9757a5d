// expect: unsafe, must [options: --data-race-check] [judge: tsan]
// Two threads that use the thread-local variable of one of them.
#include <pthread.h>

__thread int mine;

void *work(void *argument) {
  int *theirs = argument;
  mine = 1;
  *theirs = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, &mine);
  mine = 2;
  pthread_join(thread, 0);
  return 0;
}

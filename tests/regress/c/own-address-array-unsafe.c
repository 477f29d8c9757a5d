// expect: unsafe, must [judge: none]
// A thread-local struct with an array has its initial value in each thread, also where other threads reach it.
#include <assert.h>
#include <pthread.h>

_Thread_local struct {
  int first;
  int others[2];
} mine = {1, {2, 3}};

void *work(void *argument) {
  int *theirs = argument;
  theirs[0] = 9;
  assert(mine.first == 1 && mine.others[1] == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, &mine.others[0]);
  pthread_join(thread, 0);
  assert(mine.others[0] == 2 && mine.others[1] == 9);
  return 0;
}

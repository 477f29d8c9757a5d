// expect: safe, must [judge: tsan]
// The address of a thread-local variable, given to another thread.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 3;

void *work(void *argument) {
  int *theirs = argument;
  assert(mine == 3);
  *theirs = 5;
  assert(mine == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  mine = 4;
  pthread_create(&thread, 0, work, &mine);
  pthread_join(thread, 0);
  assert(mine == 5);
  return 0;
}

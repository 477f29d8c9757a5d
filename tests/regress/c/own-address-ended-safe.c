// expect: safe, must [options: --memory-safety-check] [judge: none]
// A thread-local variable ends with its thread.
#include <pthread.h>

_Thread_local int mine;

void *work(void *argument) {
  mine = 1;
  return &mine;
}

int main(void) {
  pthread_t thread;
  void *theirs;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, &theirs);
  return theirs != 0;
}

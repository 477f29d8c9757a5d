// expect: unknown, must [judge: none]
// A local of main ends where main calls pthread_exit, though the process goes on.
#include <pthread.h>

void *work(void *argument) {
  *(int *)argument = 1;
  return 0;
}

int main(void) {
  int x = 0;
  pthread_t thread;
  pthread_create(&thread, 0, work, &x);
  pthread_exit(0);
}

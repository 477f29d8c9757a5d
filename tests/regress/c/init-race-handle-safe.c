// expect: safe, must [options: --data-race-check] [judge: none]
// The library writes the handle of a thread that may run already.
#include <pthread.h>

pthread_t thread;

void *work(void *argument) {
  pthread_t own = pthread_self();
  (void)own;
  return 0;
}

int main(void) {
  pthread_create(&thread, 0, work, 0);
  return 0;
}

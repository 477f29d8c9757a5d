// expect: unsafe, must [options: --data-race-check] [judge: none]
// The library reads a time that is written at the same time.
#include <pthread.h>
#include <time.h>

struct timespec duration = {0, 1};

void *work(void *argument) {
  nanosleep(&duration, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  
  duration.tv_nsec = 2;
  return 0;
}

// expect: unknown, must [options: --strict] [judge: none]
// That threads can be created is assumed where the program looks at the result.
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
  return 0;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, work, 0)) {
    return 1;
  }
  return 0;
}

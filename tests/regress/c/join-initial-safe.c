// expect: safe, must [judge: none]
// Whoever has the handle of the initial thread can wait for its end.
#include <assert.h>
#include <pthread.h>

pthread_t initial;
int value;

void *work(void *argument) {
  pthread_join(initial, 0);
  assert(value == 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  initial = pthread_self();
  pthread_create(&thread, 0, work, 0);
  value = 2;
  pthread_exit(0);
}

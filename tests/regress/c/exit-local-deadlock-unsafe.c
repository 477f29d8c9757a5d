// expect: unsafe, must [options: --memory-safety-check --deadlock-check] [judge: none]
// The same where deadlocks are looked for: a thread that waits for ever keeps its locals, one that ends does not.
#include <pthread.h>

int *kept;
void *work(void *argument) {
  int x = 5;
  kept = &x;
  pthread_exit(0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return *kept;
}

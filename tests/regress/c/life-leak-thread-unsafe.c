// expect: unsafe [options: --memory-safety-check] [judge: none]
// The end of the first thread is not the end of the program: another thread frees.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  (void)arg;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(4);
  if (!p)
    return 0;
  pthread_create(&t, 0, worker, p);
  p = 0;
  pthread_exit(0);
}

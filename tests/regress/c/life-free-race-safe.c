// expect: safe [options: --memory-safety-check] [judge: none]
// One thread frees, another one uses.
#include <pthread.h>
#include <stdlib.h>

static int *p;
static void *worker(void *arg) {
  *p = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  p = malloc(4);
  if (!p)
    return 0;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  free(p);
  pthread_exit(0);
}

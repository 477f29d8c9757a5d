// expect: unsafe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  *(int *)arg = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int *p = malloc(4), *q = malloc(4);
  if (!p || !q)
    return 0;
  pthread_create(&a, 0, worker, p);
  pthread_create(&b, 0, worker, p);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(p);
  free(q);
  return 0;
}

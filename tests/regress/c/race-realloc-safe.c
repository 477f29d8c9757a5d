// expect: safe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <stdlib.h>

static int *p;
static void *worker(void *arg) {
  p[0] = 2;
  return arg;
}
int main(void) {
  pthread_t t;
  p = malloc(4);
  if (!p)
    return 0;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  int *q = realloc(p, 400);
  free(q);
  return 0;
}

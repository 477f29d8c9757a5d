// expect: unsafe [options: --data-race-check] [judge: tsan]
// Free against use.
#include <pthread.h>
#include <stdlib.h>

static int *p;
static void *worker(void *arg) {
  int v = *p;
  return v == 5 ? arg : 0;
}
int main(void) {
  pthread_t t;
  p = malloc(4);
  if (!p)
    return 0;
  *p = 1;
  pthread_create(&t, 0, worker, 0);
  free(p); pthread_join(t, 0);
  return 0;
}

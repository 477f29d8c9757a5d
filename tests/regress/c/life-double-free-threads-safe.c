// expect: safe, must [options: --memory-safety-check] [judge: none]
// Two threads free one object.
#include <pthread.h>
#include <stdlib.h>

static int *p;
static int owner;
static void *worker(void *arg) {
  if (__sync_fetch_and_add(&owner, 1) == 0)
    free(p);
  return arg;
}
int main(void) {
  pthread_t a, b;
  p = malloc(4);
  if (!p)
    return 0;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

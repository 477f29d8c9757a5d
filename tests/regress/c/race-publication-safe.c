// expect: safe [options: --data-race-check] [judge: tsan]
// Data behind a flag: an atomic one orders it.
#include <pthread.h>

static int data;
static _Atomic int ready;
static void *worker(void *arg) {
  data = 1;
  ready = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = 0;
  if (ready)
    v = data;
  pthread_join(t, 0);
  return v == 7;
}

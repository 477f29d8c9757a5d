// expect: safe [options: --data-race-check] [judge: none]
#include <pthread.h>
#include <stdlib.h>

static int a[2] = {2, 1};
static int up(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static void *worker(void *arg) {
  qsort(a, 2, sizeof(int), up);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  int v = a[0];
  return v == 77;
}

// expect: unsafe [options: --memory-safety-check] [judge: none]
// Memory that a thread allocates for itself is not freed by its end.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
  char *p = malloc(1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}

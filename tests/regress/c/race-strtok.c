// expect: unsafe [options: --data-race-check] [judge: none]
// It keeps its state for all threads.
#include <pthread.h>
#include <string.h>

static void *worker(void *arg) {
  char s[] = "a,b";
  char *p = strtok(s, ",");
  p = strtok(0, ",");
  return p ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

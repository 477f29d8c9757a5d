// expect: unsafe [options: --data-race-check] [judge: tsan]
// A routine that is not safe for threads: one buffer for all.
#include <pthread.h>
#include <stdio.h>

static char buffer[16];
static void *worker(void *arg) {
  sprintf(buffer, "%d", 1);
  return buffer[0] == 'z' ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

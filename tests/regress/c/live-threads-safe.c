// expect: safe [options: --max-live-threads 4] [judge: none]
// Runs in which more threads are alive at once than the user says do not count.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int inside;
static void *worker(void *a) {
  int v = ++inside;
  assert(v <= 4);
  --inside;
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, worker, 0);
}

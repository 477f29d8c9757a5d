// expect: safe [options: --data-race-check] [judge: tsan]
// Who wins the exchange owns the data.
#include <pthread.h>

static int owned, data;
static void *worker(void *arg) {
  if (__sync_bool_compare_and_swap(&owned, 0, 1))
    data++;
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_create(&c, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}

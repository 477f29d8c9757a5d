// expect: unsafe [options: --max-live-threads 8 --no-search] [judge: none]
// Some of the threads end without taking back what they counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;
extern int __VERIFIER_nondet_int(void);
void *w(void *a) {
  n++;
  assert(n <= 10);
  if (__VERIFIER_nondet_int()) {
    return 0;
  }
  n--;
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, w, 0);
}

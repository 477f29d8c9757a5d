// expect: unsafe, must [options: --max-live-threads 100 --no-search] [judge: none]
// A thread that leaves early takes back too much.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint n;
extern int __VERIFIER_nondet_int(void);
void *w(void *a) {
  n++;
  if (__VERIFIER_nondet_int()) {
    n--; n--;
    return 0;
  }
  assert(n >= 1);
  n--;
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, w, 0);
}

// expect: unsafe, must [options: --no-search] [judge: none]
// A thread that waits for itself has written before, and others see it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int l, flag;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void take(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(l == 0);
  l = 1;
  __VERIFIER_atomic_end();
}
void *w(void *a) {
  take();
  flag = 1;
  take();
  l = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  assert(flag == 0);
  return 0;
}

// expect: safe, must [options: --no-search] [judge: none]
// A step that asks whether the lock is free is as good as a critical section.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int l, x;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void *v(void *a) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(l == 0);
  l = 1;
  __VERIFIER_atomic_end();
  x = 1;
  x = 0;
  l = 0;
  return 0;
}
void *w(void *a) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(l == 0);
  assert(x == 0);
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
  pthread_create(&t, 0, v, 0);
  pthread_create(&t, 0, w, 0);
  }
}

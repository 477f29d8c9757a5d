// expect: unsafe, must [judge: none]
// A thread whose first step is a choice: bounded search looks at all of them.
#include <assert.h>
#include <pthread.h>

extern int nondet_int(void);
int a, b;
void *f(void *p) {
  if (nondet_int())
    a = 1;
  else
    b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(a == 1);
}

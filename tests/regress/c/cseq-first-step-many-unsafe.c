// expect: unsafe [judge: none]
// Each of several threads chooses its first step for itself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int nondet_int(void);
atomic_int n;
void *f(void *p) {
  int x = nondet_int();
  if (x == 1)
    n++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(n != 1);
}

// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A thread that has exited has no locals any more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) box;
static void *w(void *u) {
  int a[3] = {1, 2, 3};
  int *e = 0;
  atomic_compare_exchange_strong(&box, &e, a);
  while (!atomic_load(&box)) ;
  int *q = atomic_load(&box);
  assert(q[2] == 3);
  pthread_exit(0);
}
int main(void) { pthread_t a,b; pthread_create(&a,0,w,0); pthread_create(&b,0,w,0); pthread_join(a,0); pthread_join(b,0); return 0; }

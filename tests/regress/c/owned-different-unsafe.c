// expect: unsafe, must [judge: none]
// Another thread was here before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) last;
static atomic_int count;
static void *w(void *u) {
  int mine = 0;
  int *old = atomic_exchange(&last, &mine);
  assert(old == 0);
  mine = 7;
  atomic_fetch_add(&count, 1);
  while (atomic_load(&count) < 3) ;
  assert(mine == 7);
  return 0;
}
int main(void) { pthread_t a,b,c; pthread_create(&a,0,w,0); pthread_create(&b,0,w,0); pthread_create(&c,0,w,0); pthread_join(a,0); pthread_join(b,0); pthread_join(c,0); return 0; }

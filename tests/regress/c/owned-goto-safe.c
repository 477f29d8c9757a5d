// expect: safe [judge: none]
// A jump back before the declaration does not end the lifetime.
#include <assert.h>
#include <pthread.h>
static int *shared_p;
static void *w(void *u) {
  int n = 0;
again: ;
  int x = 0;
  if (n == 0) shared_p = &x;
  x = 5;
  if (n++ < 1) goto again;
  assert(x == 5);
  return 0;
}
int main(void) { pthread_t a,b; pthread_create(&a,0,w,0); pthread_create(&b,0,w,0); pthread_join(a,0); pthread_join(b,0); return 0; }

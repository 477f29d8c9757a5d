// expect: unsafe [judge: none]
// A function of call_once that ends its thread lets another thread run it again.
#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
int n;
void init(void) {
  n++;
  if (n == 1)
    thrd_exit(0);
}
int f(void *p) {
  call_once(&once, init);
  return 0;
}
int main(void) {
  thrd_t t;
  thrd_create(&t, f, 0);
  call_once(&once, init);
  assert(n == 1);
  return 0;
}

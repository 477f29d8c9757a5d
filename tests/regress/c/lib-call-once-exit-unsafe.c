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
  assert(n == 1);
  return 0;
}
int main(void) {
  thrd_t t[2];
  for (int k = 0; k < 2; k++)
    thrd_create(&t[k], f, 0);
  for (int k = 0; k < 2; k++)
    thrd_join(t[k], 0);
}

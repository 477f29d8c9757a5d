// expect: unsafe
// A long jump comes back with its value.
#include <assert.h>
#include <setjmp.h>

static jmp_buf env;
int main(void) {
  volatile int x = 0;
  if (setjmp(env) == 0) {
    x = 1;
    longjmp(env, 1);
  }
  assert(x == 0);
  return 0;
}

// expect: safe [judge: none]
// The call through an unknown pointer returns, and the run goes on.
#include <assert.h>

extern int (*hook)(void);
int main(void) {
  int x = 1;
  if (hook)
    hook();
  assert(x == 1);
  return 0;
}

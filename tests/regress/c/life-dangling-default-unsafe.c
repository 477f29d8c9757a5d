// expect: unsafe [judge: none]
// Without the option.
#include <assert.h>

static int *where(void) {
  int x = 1;
  int *p = &x;
  return p;
}
int main(void) {
  int *p = where();
  *p = 2;
  assert(*p == 2);
  return 0;
}

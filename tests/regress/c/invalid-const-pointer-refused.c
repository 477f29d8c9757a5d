// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  const int *const p = &x;
  p = &x;
  assert(*p == 1);
  return 0;
}

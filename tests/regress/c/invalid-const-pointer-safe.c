// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  const int * p = &x;
  p = &x;
  assert(*p == 1);
  return 0;
}

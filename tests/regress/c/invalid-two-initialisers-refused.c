// expect: refused [judge: syntax]
#include <assert.h>

int x = 1;
int x= 2;
int main(void) {
  assert(x == 1);
  return 0;
}

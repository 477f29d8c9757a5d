// expect: refused [judge: syntax]
#include <assert.h>

extern int x;
char x = 1;
int main(void) {
  assert(x == 1);
  return 0;
}

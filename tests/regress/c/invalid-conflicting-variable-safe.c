// expect: safe, must [judge: syntax]
#include <assert.h>

extern int x;
int x = 1;
int main(void) {
  assert(x == 1);
  return 0;
}

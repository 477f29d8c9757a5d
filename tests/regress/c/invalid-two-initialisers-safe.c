// expect: safe, must [judge: syntax]
#include <assert.h>

int x = 1;
int x;
int main(void) {
  assert(x == 1);
  return 0;
}

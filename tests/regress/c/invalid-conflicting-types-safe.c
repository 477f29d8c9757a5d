// expect: safe, must [judge: syntax]
#include <assert.h>

int f(int x);
int f(int x) { return x; }
int main(void) {
  assert(f(1) == 1);
  return 0;
}

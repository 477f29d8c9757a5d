// expect: safe [judge: none]
// Input is any number, or none.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 0;
  if (scanf("%d", &x) == 1)
    assert(x == x);
  return 0;
}

// expect: unsafe [judge: none]
// What was put back is read again.
#include <assert.h>
#include <stdio.h>

int main(void) {
  if (ungetc('x', stdin) != 'x')
    return 0;
  assert(getc(stdin) == 'y');
}

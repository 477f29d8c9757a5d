// expect: unsafe [judge: none]
// A line that was read has a character, if there is room for one.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[3] = "zz";
  if (fgets(b, 3, stdin))
    assert(b[0] != 0);
}

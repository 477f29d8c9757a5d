// expect: safe [judge: none]
// Input is any line.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[4] = "";
  if (fgets(b, sizeof b, stdin))
    assert(b[3] == 0);
  return 0;
}

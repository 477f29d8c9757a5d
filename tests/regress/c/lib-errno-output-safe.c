// expect: safe [judge: none]
// Output that succeeds may set errno: the C library asks whether the stream is a terminal.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
  errno = 0;
  printf("x");
  puts("y");
  assert(errno >= 0);
}

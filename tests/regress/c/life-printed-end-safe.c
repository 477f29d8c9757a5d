// expect: safe, must [options: --memory-safety-check]
// What puts prints must end.
#include <stdio.h>

int main(void) {
  char b[3] = {'a', 'b', 0};
  puts(b);
  return 0;
}

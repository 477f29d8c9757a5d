// expect: unsafe, must [options: --memory-safety-check]
// What puts prints must end.
#include <stdio.h>

int main(void) {
  char b[3] = {'a', 'b', 'c'};
  puts(b);
  return 0;
}

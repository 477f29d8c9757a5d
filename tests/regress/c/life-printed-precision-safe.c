// expect: safe, must [options: --memory-safety-check] [judge: none]
// A precision bounds what is read, so that the text needs no end.
#include <stdio.h>

int main(void) {
  char b[3] = {'a', 'b', 'c'};
  printf("%.*s", 3, b);
  return 0;
}

// expect: safe
#include <stdio.h>

int main(void) {
  char b[4];
  sprintf(b, "%d", 123);
  return b[0] == 'z';
}

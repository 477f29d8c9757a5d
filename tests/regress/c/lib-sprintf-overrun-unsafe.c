// expect: unsafe
#include <stdio.h>

int main(void) {
  char b[4];
  sprintf(b, "%d", 1234);
  return b[0] == 'z';
}

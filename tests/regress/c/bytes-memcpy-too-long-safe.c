// expect: safe, must
// Longer than the destination.
#include <string.h>

int main(void) {
  char a[8] = "1234567", b[4];
  memcpy(b, a, 4);
  return b[0] == 0;
}

// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// Objects that a library function is given must not overlap.
#include <stdio.h>

int main(void) {
  char text[16] = "abc";
  snprintf(text, 4, "%s", text);
  return 0;
}

// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// Objects that a library function is given must not overlap.
#include <stdio.h>

int main(void) {
  char text[16] = "abc";
  sprintf(text, "%s!", text);
  return 0;
}

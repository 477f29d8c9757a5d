// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// Objects that a library function is given must not overlap.
#include <string.h>

int main(void) {
  char text[16] = "abc";
  strcpy(text, text + 1);
  return 0;
}

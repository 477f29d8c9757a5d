// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// Objects that a library function is given must not overlap.
#define _GNU_SOURCE
#include <string.h>

int main(void) {
  char text[16] = "abc";
  stpcpy(text + 2, text);
  return 0;
}

// expect: unsafe, must [options: --memory-safety-check]
// By a library function.
#include <string.h>

int main(void) {
  char *s = "abc";
  strcpy(s, "xyz");
  return 0;
}

// expect: unknown, must [judge: none]
// Without checks of pointers this is a limit.
#include <string.h>

int main(void) {
  char text[16] = "abc";
  strcpy(text + 3, text);
  return 0;
}

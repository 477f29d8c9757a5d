// expect: safe, must
#include <string.h>

int main(void) {
  char a[4];
  strcpy(a, "abc");
  return a[0] == 'z';
}

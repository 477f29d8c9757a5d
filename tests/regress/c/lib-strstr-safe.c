// expect: safe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char s[] = "ababc";
  assert(strstr(s, "abc") == s + 2);
  return 0;
}

// expect: unsafe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char s[] = "ababc";
  assert(strstr(s, "abc") == s + 0);
  return 0;
}

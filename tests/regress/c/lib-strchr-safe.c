// expect: safe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char s[] = "hello";
  char *p = strchr(s, 'l'), *q = strrchr(s, 'l');
  assert(p == s + 2 && q == s + 3);
  assert(strchr(s, 0) == s + 5 && strchr(s, 'z') == 0);
  return 0;
}

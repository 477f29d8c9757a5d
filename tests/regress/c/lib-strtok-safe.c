// expect: safe
// It writes into the string.
#include <assert.h>
#include <string.h>

int main(void) {
  char s[] = "a,b";
  char *p = strtok(s, ",");
  char *q = strtok(0, ",");
  assert(p == s && q == s + 2 && s[1] == 0);
  return 0;
}

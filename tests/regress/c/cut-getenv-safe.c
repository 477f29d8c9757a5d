// expect: safe, must [judge: env]
// What the environment holds is any string: the second branch can be taken.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *s = getenv("L");
  if (!s)
    s = "0";
  if (s[0] == '1')
    assert(s[0] != '0');
  return 0;
}

// expect: unsafe [judge: env]
// A value of the environment has any length.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *s = getenv("L");
  if (s && s[0] && s[1] && s[2])
    assert(s[0] != 0 && s[1] != '1');
  return 0;
}

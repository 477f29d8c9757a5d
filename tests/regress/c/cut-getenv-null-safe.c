// expect: safe, must [judge: env]
// A variable of the environment may be set or not.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *s = getenv("L");
  int set = 0;
  if (s)
    set = 1;
  assert(set == 0 || s != 0);
  return 0;
}

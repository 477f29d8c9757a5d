// expect: safe [judge: env]
// A pointer to a table, or into the environment.
#include <assert.h>
#include <stdlib.h>

static char fallback[4] = "0";
int main(void) {
  char *s = getenv("L");
  int own = 0;
  if (!s) {
    s = fallback;
    own = 1;
  }
  if (s[0] == '1')
    assert(own == 0);
  return 0;
}

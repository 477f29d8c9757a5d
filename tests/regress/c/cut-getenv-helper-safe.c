// expect: safe [judge: env]
// The same behind a function and a conditional expression.
#include <assert.h>
#include <stdlib.h>

static const char *level(void) {
  const char *s = getenv("L");
  return s ? s : "0";
}
int main(void) {
  int n = level()[0] - '0';
  if (n == 1)
    assert(n < 2);
  return 0;
}

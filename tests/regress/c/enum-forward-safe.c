// expect: safe
// An enumeration that is mentioned before its values (GNU C) has the type that its values need.
#include <assert.h>
enum e;
static enum e *p;
enum e { MINUS = -1, PLUS = 1 };
int main(void) {
  enum e x = MINUS;
  p = &x;
  assert(*p < 0);
  return 0;
}

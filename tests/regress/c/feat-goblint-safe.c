// expect: safe, must [judge: none]
// The vocabulary of Goblint.
#include <goblint.h>

int main(void) {
  int x = 3, y;
  __goblint_check(x == 3);
  __goblint_assume(y == 2);
  __goblint_assert(y == 2);
  __goblint_split_begin(y);
  __goblint_unknown(&x);
  __goblint_split_end(y);
  __goblint_check(y == 2);
  return 0;
}

// expect: unsafe
// The pragma from an operator.
#include <assert.h>

_Pragma("pack(1)") struct s {
  char c;
  int i;
};
_Pragma("pack()") int main(void) {
  assert(sizeof(struct s) == 8);
  return 0;
}

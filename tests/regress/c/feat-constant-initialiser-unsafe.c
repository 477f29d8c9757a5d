// expect: unsafe, must
// GNU C: the value of a constant variable in the initial value of another one.
#include <assert.h>

static const int size = 5;
static const int table[] = {size, size + 1};
int main(void) {
  static int limit = size;
  assert(table[1] == 5 && limit == 5);
  return 0;
}

// expect: unsafe, must
// A pointer to rows.
#include <assert.h>

static short m[3][2] = {{1, 2}, {3, 4}, {5, 6}};
int main(void) {
  short(*row)[2] = m;
  row++;
  assert((*row)[1] == 3);
  return 0;
}

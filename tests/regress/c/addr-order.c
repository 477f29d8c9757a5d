// expect: unknown [judge: none]
// Which of two objects comes first.
#include <assert.h>

static int x, y;
int main(void) {
  assert(&x < &y);
  return 0;
}

// expect: unsafe [judge: gcc]
// The place of a variable does not matter for its value.
#include <assert.h>

static int x __attribute__((section("mydata"), used)) = 3;
int main(void) {
  assert(x == 4);
  return 0;
}

// expect: safe [judge: none]
// A local of a loop's body has any value each time.
#include <assert.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    int x = 0;
    if (i == 0)
      x = 1;
    else
      assert(x == 0);
  }
  return 0;
}

// expect: unsafe [judge: none]
// A function without a body returns any value.
#include <assert.h>

int sensor(void);
int main(void) {
  int v = sensor();
  if (v > 100)
    assert(v > 100000);
  return 0;
}

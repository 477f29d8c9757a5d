// expect: safe, must [judge: none]
// A function without a body returns any value.
#include <assert.h>

int sensor(void);
int main(void) {
  int v = sensor();
  if (v > 100)
    assert(v > 99);
  return 0;
}

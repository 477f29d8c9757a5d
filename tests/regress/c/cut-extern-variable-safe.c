// expect: safe, must [judge: none]
// A variable of another file has any value.
#include <assert.h>

extern int limit;
int main(void) {
  int v = limit;
  if (v > 10)
    assert(v > 9);
  return 0;
}

// expect: safe [judge: none]
// A function without a body returns any pointer.
#include <assert.h>

int *lookup(void);
int main(void) {
  int *p = lookup();
  if (p)
    assert(*p == *p);
  return 0;
}

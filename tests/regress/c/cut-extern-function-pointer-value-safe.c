// expect: safe [judge: none]
// What a function of another file returns is any value.
#include <assert.h>

extern int (*hook)(int);
int main(void) {
  int r = hook(1);
  if (r == 3)
    assert(r != 2);
  return 0;
}

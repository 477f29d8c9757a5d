// expect: safe [judge: gcc]
// Two names of one function.
#include <assert.h>

int real(void) { return 4; }
int name(void) __attribute__((alias("real")));
int main(void) {
  assert(name() == 4);
  return 0;
}

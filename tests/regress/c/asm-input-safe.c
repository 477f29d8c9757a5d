// expect: safe, must [judge: gcc]
// An output that is read, too.
#include <assert.h>

int main(void) {
  int x = 1;
  __asm__ volatile("addl $1, %0" : "+r"(x) : : "cc");
  assert(x == 2);
  return 0;
}

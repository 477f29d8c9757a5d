// expect: unsafe, must [judge: gcc]
// The other answer.
#include <assert.h>

int main(void) {
  int x = 1;
  __asm__ volatile("addl $1, %0" : "+r"(x) : : "cc");
  assert(x == 1);
  return 0;
}

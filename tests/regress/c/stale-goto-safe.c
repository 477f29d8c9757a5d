// expect: safe, must [judge: none]
// A pointer that is assigned once, and a block that is entered again behind the assignment.
#include <assert.h>

int main(void) {
  int rounds = 0;
  int *p = 0;
  {
    int x = 0;
    p = &x;
  again:
    p = &x;
    *p = 1;
    rounds++;
  }
  if (rounds < 3) {
    goto again;
  }
  return 0;
}

// expect: unsafe, must
// Initial values that are computed from constants.
#include <assert.h>

enum { WHOLE = (int)3.9 };
long cut = (long)(int)5.7;
double third = 1.0 / 3;
int room[(int)2.5];

int main(void) {
  assert(WHOLE == 3 && cut == 6 && third * 3 == 1.0);
  assert(sizeof room == 2 * sizeof(int));
  return 0;
}

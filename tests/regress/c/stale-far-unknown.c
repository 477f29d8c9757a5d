// expect: unknown, must [judge: none]
// A pointer from many rounds ago, and one of this round.
#include <assert.h>

int main(void) {
  int *kept[1] = {0};
  int last = 0;
  for (int i = 0; i < 20; i++) {
    int x = i;
    if (i == 2 || i == 18) {
      kept[0] = &x;
    }
    if (i == 19) {
      last = *kept[0];
    }
  }
  assert(last == 19);
  return 0;
}

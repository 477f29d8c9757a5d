// expect: safe, must
// An array without an initialiser, of which every element is written before it is read, each time.
#include <assert.h>

static int g;
int main(void) {
  for (int i = 0; i < 2; i++) {
    int a[3];
    for (int j = 0; j < 3; j++)
      a[j] = 5;
    g = g * 3 + a[1];
  }
  assert(g == 20);
  return 0;
}

// expect: safe, must [options: --32] [judge: none]
// A long long in a structure has the alignment 4 there.
#include <assert.h>

struct s {
  int a;
  long long b;
};
int main(void) {
  assert(sizeof(struct s) == 12);
  return 0;
}

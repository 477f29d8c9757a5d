// expect: unsafe, must
// A member with this name makes no packed structure.
#include <assert.h>

struct s {
  char c;
  int packed;
};
int main(void) {
  assert(sizeof(struct s) == 5);
  return 0;
}

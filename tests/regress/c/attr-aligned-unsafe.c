// expect: unsafe, must
// Alignment beyond that of the type.
#include <assert.h>

struct s {
  char c;
  int i __attribute__((aligned(16)));
};
int main(void) {
  assert(sizeof(struct s) == 8);
  return 0;
}

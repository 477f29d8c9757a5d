// expect: unsafe
// Its size counts in a structure.
#include <assert.h>

typedef short v8 __attribute__((vector_size(16)));
struct s {
  char c;
  v8 v;
};
int main(void) {
  assert(sizeof(struct s) == 4);
  return 0;
}

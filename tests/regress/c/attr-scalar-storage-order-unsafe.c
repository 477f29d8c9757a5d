// expect: unsafe
// Big-endian members.
#include <assert.h>

struct s {
  int i;
} __attribute__((scalar_storage_order("big-endian")));
int main(void) {
  struct s s;
  s.i = 1;
  assert(((unsigned char *)&s)[0] == 1);
  return 0;
}

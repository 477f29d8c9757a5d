// expect: unsafe, must
// Nor does a tag or a comment: packed.
#include <assert.h>

struct packed_thing {
  char c; /* __attribute__((packed)) */
  long unpacked;
};
int main(void) {
  assert(sizeof(struct packed_thing) == 9);
  return 0;
}

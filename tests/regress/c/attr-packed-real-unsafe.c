// expect: unsafe, must
// A packed one, written in front and behind.
#include <assert.h>

struct __attribute__((packed)) a {
  char c;
  int i;
};
struct b {
  char c;
  int i;
} __attribute__((__packed__));
int main(void) {
  assert(sizeof(struct a) == 5 && sizeof(struct b) == 8);
  return 0;
}

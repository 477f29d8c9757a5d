// expect: safe, must [judge: none]
// Two files that are open have different numbers.
#include <assert.h>
#include <fcntl.h>

int main(void) {
  int a = open("a", O_RDONLY), b = open("b", O_RDONLY);
  assert(a < 0 || b < 0 || a != b);
}

// expect: safe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char a[4] = {1, 0, 3, 3};
  assert(memchr(a, 3, 4) == a + 2 && memchr(a, 7, 4) == 0);
  return 0;
}

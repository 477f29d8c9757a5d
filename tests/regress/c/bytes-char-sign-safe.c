// expect: safe, must
// Characters have a sign here.
#include <assert.h>

int main(void) {
  char c = (char)255;
  assert(c == -1);
  return 0;
}

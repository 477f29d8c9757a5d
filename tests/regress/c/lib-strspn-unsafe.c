// expect: unsafe
#include <assert.h>
#include <string.h>

int main(void) {
  assert(strspn("aabx", "ab") == 2 && strcspn("xy-z", "-") == 2);
  return 0;
}

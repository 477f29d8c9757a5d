// expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  assert(strspn("aabx", "ab") == 3 && strcspn("xy-z", "-") == 2);
  return 0;
}

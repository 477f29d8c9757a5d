// expect: safe, must
// Characters compare without a sign.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[2] = {(char)0xe4, 0}, b[2] = "z";
  assert(strcmp(a, b) > 0);
  return 0;
}

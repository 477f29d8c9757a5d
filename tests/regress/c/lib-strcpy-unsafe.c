// expect: unsafe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char a[8] = "1234567";
  strcpy(a, "ab");
  assert(a[2] == 0 && a[3] == 0);
  return 0;
}

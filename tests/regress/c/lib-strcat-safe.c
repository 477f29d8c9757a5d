// expect: safe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char a[8] = "ab";
  strcat(a, "cd");
  strncat(a, "efgh", 2);
  assert(a[4] == 'e' && a[5] == 'f' && a[6] == 0);
  return 0;
}

// expect: unsafe, must
// Fills up with null characters; ends with none if there is no room.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[4] = {9, 9, 9, 9};
  strncpy(a, "b", 3);
  assert(a[1] == 0 && a[2] == 0 && a[3] == 0);
  strncpy(a, "wxyz", 4);
  assert(a[3] == 'z');
  return 0;
}

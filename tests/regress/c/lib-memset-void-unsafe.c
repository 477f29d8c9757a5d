// expect: unsafe, must [judge: sanitizers]
// Bytes behind a variable of type `void *`, so many as a constant says.
#include <assert.h>
#include <string.h>

int main(void) {
  int number = 1;
  void *pointer = &number;
  memset(pointer, 0, sizeof number);
  assert(number == 1);
  return 0;
}

// expect: safe, must [judge: sanitizers]
// Bytes between variables of type `void *`, so many as a constant says.
#include <assert.h>
#include <string.h>

int main(void) {
  int first = 1, second = 2;
  void *to = &first, *from = &second;
  memcpy(to, from, sizeof first);
  assert(first == 2);
  return 0;
}

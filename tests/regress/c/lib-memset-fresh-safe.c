// expect: safe, must [judge: sanitizers]
// Memory is cleared again in each round of a loop, also behind its allocation.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int round = 0;
  int *numbers = malloc(8);
  void *all = numbers;
again:
  memset(all, 0, 8);
  assert(numbers[0] == 0 && numbers[1] == 0);
  numbers[0] = 5;
  if (round++ < 1) {
    goto again;
  }
  assert(numbers[0] == 5);
  free(numbers);
  return 0;
}

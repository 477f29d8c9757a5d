// expect: safe [judge: gcc]
// A seed has one sequence of numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  srand(1);
  int a = rand();
  srand(1);
  assert(rand() == a);
}

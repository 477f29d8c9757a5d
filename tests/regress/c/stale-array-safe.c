// expect: safe, must [judge: none]
// The end of an array that is gone.
#include <assert.h>

int *from, *to;

void fill(int value) {
  for (int *p = from; p != to; p++) {
    *p = value;
  }
}

void visit(int value) {
  int numbers[3];
  to = numbers + 3;
  from = numbers;
  fill(value);
  assert(numbers[2] == value);
}

int main(void) {
  to = 0;
  visit(1);
  visit(2);
  return 0;
}

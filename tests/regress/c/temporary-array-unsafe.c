// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A struct that a call returns lives until the end of the expression.
#include <stdlib.h>

struct pair {
  int a[2];
};

struct pair make(void) {
  struct pair pair = {{1, 2}};
  return pair;
}

int main(void) {
  int *p = make().a;
  return *p - 1;
}

// expect: unsafe, must
// An argument of the type of any member.
#include <assert.h>

typedef union {
  int *whole;
  float *fraction;
} number __attribute__((__transparent_union__));

static int get(number n) {
  return *n.whole;
}

int main(void) {
  int a = 5;
  assert(get(&a) == 6);
  return 0;
}

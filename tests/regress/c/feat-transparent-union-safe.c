// expect: safe, must
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
  assert(get(&a) == 5);
  return 0;
}

// expect: safe [judge: gcc]
// Two names of one variable.
#include <assert.h>

int original = 1;
extern int other __attribute__((alias("original")));
int main(void) {
  other = 2;
  assert(original == 2);
  return 0;
}

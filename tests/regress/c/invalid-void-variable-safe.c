// expect: safe, must [judge: none]
#include <assert.h>

int x;
int main(void) {
  assert(1);
  return 0;
}

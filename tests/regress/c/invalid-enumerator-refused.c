// expect: refused [judge: syntax]
#include <assert.h>

enum a { one, two };
enum b { three, two };
int main(void) {
  assert(three == 0);
  return 0;
}

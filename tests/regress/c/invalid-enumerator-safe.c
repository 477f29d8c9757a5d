// expect: safe, must [judge: syntax]
#include <assert.h>

enum a { one, two };
enum b { three, four };
int main(void) {
  assert(three == 0);
  return 0;
}

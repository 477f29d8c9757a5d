// expect: safe, must [judge: syntax]
#include <assert.h>

struct s {
   int a;
};
int main(void) {
  struct s s = {1};
  s.a++;
  assert(s.a == 2);
  return 0;
}

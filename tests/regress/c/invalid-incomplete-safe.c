// expect: safe, must [judge: syntax]
#include <assert.h>

struct s{ int a; };
static struct s s;
int main(void) {
  assert(sizeof s > 0);
  return 0;
}

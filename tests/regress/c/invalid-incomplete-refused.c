// expect: refused [judge: syntax]
#include <assert.h>

struct s;
static struct s s;
int main(void) {
  assert(sizeof s > 0);
  return 0;
}

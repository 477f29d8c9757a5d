// expect: safe, must
// Members come in order.
#include <assert.h>

struct s {
  char a;
  int b;
};
static struct s s;
int main(void) {
  assert((char *)&s.b - (char *)&s == 4);
  return 0;
}

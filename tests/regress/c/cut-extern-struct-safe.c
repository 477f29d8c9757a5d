// expect: safe [judge: none]
// Members of a structure of another file.
#include <assert.h>

struct s {
  int a;
  char b;
};
extern struct s settings;
int main(void) {
  if (settings.a == 5)
    assert(settings.b < 200);
  return 0;
}

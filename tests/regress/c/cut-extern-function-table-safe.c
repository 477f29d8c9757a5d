// expect: safe [judge: none]
// A table of another file.
#include <assert.h>

struct ops {
  int (*open)(void);
};
extern struct ops *table;
int main(void) {
  int r = table->open();
  assert(r == r);
  return 0;
}

// expect: unsafe [judge: none]
// argv[argc] may be read, argv[argc + 1] may not.
#include <assert.h>

int main(int argc, char **argv) {
  char *p = argv[argc+ 1];
  assert(p == 0);
  return 0;
}

// expect: safe [judge: none]
// Arguments are strings of their own; the one after the last is null.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 1)
    assert(argv[argc] == 0 && argv[1] != 0);
  return 0;
}

// expect: safe [judge: none]
// Arguments end with a null character.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v')
    assert(argv[1][0] == '-');
  return 0;
}

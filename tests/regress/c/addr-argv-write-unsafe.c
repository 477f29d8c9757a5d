// expect: unsafe [judge: none]
// Each is its own object and may be written.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 2 && argv[1][0] && argv[2][0]) {
    argv[2][0] = 'b';
    argv[1][0] = 'a';
    assert(argv[2][0] == 'a');
  }
  return 0;
}

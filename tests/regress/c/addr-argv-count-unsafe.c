// expect: unsafe [judge: none]
// The number of arguments is not known.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 0&& argc < 3);
  return 0;
}

// expect: safe [judge: none]
// The number of arguments is not known.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 0);
  return 0;
}

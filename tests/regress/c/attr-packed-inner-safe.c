// expect: safe, must
// An inner packed structure does not pack the outer one.
#include <assert.h>

struct outer {
  char c;
  struct {
    char d;
    int e;
  } __attribute__((packed)) inner;
  int f;
};
int main(void) {
  assert(sizeof(struct outer) == 12);
  return 0;
}

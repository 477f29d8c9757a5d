// expect: unsafe, must
// offsetof with an index that is not constant.
#include <assert.h>
#include <stddef.h>

struct S {
  char a;
  struct {
    int q[2];
  } n[3];
};
int main(void) {
  volatile int i = 1;
  int k = i;
  assert(offsetof(struct S, n[k].q[1]) == 12);
  return 0;
}

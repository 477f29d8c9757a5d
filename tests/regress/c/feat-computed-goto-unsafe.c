// expect: unsafe, must
// An interpreter that jumps by a table.
#include <assert.h>

static int run(const char *code) {
  static void *where[] = {&&increment, &&twice, &&end};
  int a = 1;
  goto *where[(int)*code++];
increment:
  a++;
  goto *where[(int)*code++];
twice:
  a *= 2;
  goto *where[(int)*code++];
end:
  return a;
}

int main(void) {
  assert(run("\0\1\0\2") == 6);
  return 0;
}

// expect: safe, must [options: --memory-safety-check]
// Who goes through structs byte by byte does not stay in the array of bytes that stands first.
#include <assert.h>
struct e { char c[2]; short d; };
int main(void) {
  struct e a[3] = { { "a", 1 }, { "b", 2 }, { "c", 3 } };
  unsigned char *p = (unsigned char *)a;
  int sum = 0;
  for (unsigned i = 0; i < sizeof a; i++) sum += p[i];
  assert(sum == 'a' + 'b' + 'c' + 6);
  return 0;
}

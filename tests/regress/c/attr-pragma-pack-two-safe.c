// expect: safe
// At most two bytes of alignment.
#include <assert.h>

#pragma pack(2)
struct s {
  char c;
  int i;
};
#pragma pack()
int main(void) {
  struct s s = {1, 2};
  assert((char *)&s.i - (char *)&s == 2);
  return 0;
}

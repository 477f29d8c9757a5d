// expect: safe
// No padding after the pragma.
#include <assert.h>

#pragma pack(push, 1)
struct s {
  char c;
  int i;
};
#pragma pack(pop)
struct t {
  char c;
  int i;
};
int main(void) {
  assert(sizeof(struct s) == 5);
  assert(sizeof(struct t) == 8);
  return 0;
}

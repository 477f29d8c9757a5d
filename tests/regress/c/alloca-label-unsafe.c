// expect: unsafe
// Control comes back to a label whose address was taken.
#include <alloca.h>
#include <assert.h>

int main(void) {
  int *kept[3], n = 0;
  void *back = &&again;
again:
  kept[n] = alloca(sizeof(int));
  *kept[n] = n;
  if (++n < 3)
    goto *back;
  assert(*kept[0] == 2);
  return 0;
}

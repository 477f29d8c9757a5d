// expect: safe, must [judge: gcc]
// gcc computes with bit-fields wider than int in as many bits as they have.
#include <assert.h>

struct wide {
  long long x : 40;
  unsigned long long y : 36;
  long long z : 33;
  unsigned u : 31;
};
int main(void) {
  struct wide w = {0};
  w.x = -1;
  assert(w.x == -1 && w.x < 0);
  w.y = 0xfffffffffULL;
  assert(w.y + 1 == 0);
  assert((w.y << 4) == 0xffffffff0ULL);
  assert(w.y * w.y == 1 && ~w.y == 0);
  assert(w.y + 1ULL == 0x1000000000ULL && w.y + 1L == 0x1000000000L);
  assert((w.y += 2) == 1);
  w.y = 5;
  assert(w.y - 6 > 0 && w.y - 6 == 0xfffffffffULL);
  assert(w.x < w.y && w.z < w.x + 2);
  assert(-w.y == 0xffffffffbULL && (w.y ^ -1) == 0xffffffffaULL);
  assert(w.u - 1 < 0);
  long long difference = w.y - 7;
  assert(difference == 0xffffffffeLL);
  assert((w.x >> 1) == -1 && w.x / 1 == -1 && (w.y - 6) / 3 == 0x555555555ULL);
  w.x = 0x4000000000LL;
  assert(w.x * 1.0 == 274877906944.0);
  return 0;
}

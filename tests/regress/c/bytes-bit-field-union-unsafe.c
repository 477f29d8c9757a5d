// expect: unsafe, must
// A register with fields.
#include <assert.h>

union reg {
  unsigned all;
  struct {
    unsigned low : 8, mid : 16, high : 8;
  } f;
};
int main(void) {
  union reg r;
  r.all = 0x12345678;
  assert(r.f.mid == 0x5634);
  r.f.high = 0;
  assert(r.all == 0x345678);
  return 0;
}

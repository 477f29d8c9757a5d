// expect: safe, must [options: --memory-safety-check] [judge: sanitizers]
// A pointer to a local goes through memcpy, and is used when the function runs again.
#include <string.h>

int *kept;
int visit(int round) {
  int x = 0;
  int *p = &x;
  int *old;
  int result = 0;
  if (round) {
    memcpy(&old, &kept, sizeof old);
    result = *old;
  }
  static int y;
  p = &y;
  memcpy(&kept, &p, sizeof kept);
  return result;
}

int main(void) {
  visit(0);
  return visit(1);
}

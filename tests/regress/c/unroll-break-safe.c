// expect: safe, must
// The loop is left from its middle, and a round is skipped.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *kept[4] = {0}, sum = 0;
  for (int i = 0; i < 4; i++) {
    if (i == 1) continue;
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = i;
    kept[i] = p;
    if (i == 2) break;
  }
  for (int i = 0; i < 4; i++) {
    if (kept[i]) sum += 1 + *kept[i];
    free(kept[i]);
  }
  assert(sum == 4);
  return 0;
}

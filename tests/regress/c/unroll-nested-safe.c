// expect: safe, must
// A loop in a loop, whose number of rounds depends on the outer one.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *rows[3];
  for (int i = 0; i < 3; i++) {
    rows[i] = malloc(3 * sizeof(int));
    if (!rows[i]) return 0;
    for (int k = 0; k <= i; k++) rows[i][k] = 10 * i + k;
  }
  int found = rows[2][1] + rows[1][1] + rows[0][0];
  for (int i = 2; i >= 0; i--) free(rows[i]);
  assert(found == 32);
  return 0;
}

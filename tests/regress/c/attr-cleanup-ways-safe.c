// expect: safe, must
// Whichever way control leaves the scope: by its end, return, break, continue, goto; the last variable first.
#include <assert.h>

static int log_[16], count;
static void note(int *p) { log_[count++] = *p; }
#define GUARD(name, number) int name __attribute__((cleanup(note))) = number

static int leave(int how) {
  count = 0;
  GUARD(outer, 1);
  for (int i = 0; i < 2; i++) {
    if (how == 9)
      break;
    GUARD(inner, 2);
    GUARD(last, 3);
    if (how == 0)
      continue;
    if (how == 1)
      break;
    if (how == 2)
      return 20;
    if (how == 3)
      goto out;
    last = 4;
  }
  GUARD(late, 5);
out:
  return 10 * count + outer;
}
int main(void) {
  assert(leave(0) == 41 && count == 6 && log_[0] == 3 && log_[1] == 2 && log_[4] == 5 && log_[5] == 1);
  assert(leave(1) == 21 && count == 4 && log_[2] == 5);
  assert(leave(2) == 20 && count == 3 && log_[0] == 3 && log_[2] == 1);
  assert(leave(7) == 41 && log_[0] == 4 && log_[2] == 4);
  assert(leave(9) == 1 && count == 2);
  int again = 0;
back:;
  GUARD(mine, 6);
  if (again++ < 2) {
    count = 0;
    goto back;
  }
  assert(count == 1 && log_[0] == 6);
  return 0;
}

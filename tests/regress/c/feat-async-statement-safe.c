// expect: safe, must [judge: none]
// A thread runs any statement behind the label, with copies of the variables around it.
int x;

int main(void) {
  int local = 3;
__CPROVER_ASYNC_1:
  if (local == 3) {
    x = local;
  }
  local = 4;
  __CPROVER_assert(x == 0 || x == 3, "x");
  return 0;
}

// expect: unsafe [judge: none]
// A jump out of the statement of a thread is not modelled.
int x;

int main(void) {
again:
  x++;
__CPROVER_ASYNC_1:
  if (x < 2)
    goto again;
  __CPROVER_assert(x != 1, "x");
  return 0;
}

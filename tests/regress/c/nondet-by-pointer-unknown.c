// expect: unknown, must [judge: none] [options: --undefined arguments]
// A function with "nondet" in its name that is given a pointer is like others that nobody defines.
void nondet_fill(int *target);
static int x;
int main(void) {
  nondet_fill(&x);
  __CPROVER_assert(x == 0, "x");
  return 0;
}

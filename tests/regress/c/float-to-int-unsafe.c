// expect: unsafe, must [options: --signed-overflow-check] [judge: none]
// A number that does not fit into the integer type that it is converted to.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1) {
    return 0;
  }
  double d = 2147483646.5 + n * 2;
  return (int)d == 3;
}

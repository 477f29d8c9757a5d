// expect: unsafe
// A null pointer is no object.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  int *p = 0;
  *p = 1;
  return x;
}

// expect: safe, must
// A null pointer is no object.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  int *p = &x;
  *p = 1;
  return x;
}

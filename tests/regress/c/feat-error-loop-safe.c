// expect: safe, must [judge: none]
// A label that is an error by its name, because control stays there for ever.
extern int __VERIFIER_nondet_int(void);

void __blast_assert(void) {
ERROR:
  goto ERROR;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0) {
    ((x >= 1) ? (0) : __blast_assert());
  }
  return 0;
}
